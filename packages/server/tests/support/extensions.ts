import { crc32, deflateRawSync } from 'node:zlib';
import type { Answer, Api } from './client.ts';
import { expectContract } from './contract.ts';

/** Extensions of the specs, packed here, so that a spec can pack what no packer would. */
export interface ZipFile {
  path: string;
  content: string | Buffer;
  /** What the list says of it, where that is not true. */
  lie?: { size?: number; packedSize?: number; flags?: number; method?: number; mode?: number; at?: number };
}

export function zipOf(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { path, content, lie = {} } of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const name = Buffer.from(path, path.includes('\xff') ? 'latin1' : 'utf8');
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(8, 8);
    header.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(lie.flags ?? 0, 8);
    entry.writeUInt16LE(lie.method ?? 8, 10);
    entry.writeUInt32LE(crc32(bytes), 16);
    entry.writeUInt32LE(lie.packedSize ?? packed.length, 20);
    entry.writeUInt32LE(lie.size ?? bytes.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(((lie.mode ?? 0o100644) << 16) >>> 0, 38);
    entry.writeUInt32LE(lie.at ?? at, 42);
    parts.push(header, name, packed);
    list.push(entry, name);
    at += header.length + name.length + packed.length;
  }
  const listed = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}

/**
 * Code that has `worker`, the service worker of an extension that hears messages. Chromium ends one that has nothing to do, so
 * a page of the extension wakes it first.
 */
export const withWorker = (chromiumId: string, page: string): string => `
  const known = context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker');
  const waking = await context.newPage();
  await waking.goto('chrome-extension://${chromiumId}/${page}');
  await waking.evaluate(() => chrome.runtime.sendMessage('wake up').catch(() => undefined));
  await waking.close();
  const worker = await known;
`;

export interface ExtensionFiles {
  manifest?: object;
  files?: Record<string, string | Buffer>;
}

/** With a manifest that is good but for what the spec changes. */
export const extensionZip = ({ manifest = {}, files = {} }: ExtensionFiles = {}): Buffer =>
  zipOf([
    {
      path: 'manifest.json',
      content: JSON.stringify({ manifest_version: 3, name: 'Test', version: '1.0', ...manifest }),
    },
    ...Object.entries(files).map(([path, content]) => ({ path, content })),
  ]);

export async function uploadExtension(api: Api, body: Buffer | FormData): Promise<Answer> {
  const response = await fetch(`${api.url}/v1/extensions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}` },
    body: body as RequestInit['body'],
  });
  const answer = { status: response.status, body: await response.json(), headers: response.headers };
  expectContract('POST', '/v1/extensions', answer);
  return answer;
}

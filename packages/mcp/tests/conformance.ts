import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledBefore } from '../../server/tests/support/server.ts';

/**
 * The protocol's own conformance suite, all of its server scenarios. It calls test tools, resources and prompts by their
 * names (`test_simple_text`, `test://static-text`, …), which a product does not have; what must fail for that reason is
 * listed here, and the suite fails when anything else does, or when one of these does not.
 */
const needsTestTools = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'json-schema-2020-12',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-polling',
];
const needsTestResources = ['resources-read-text', 'resources-read-binary', 'resources-templates-read'];
/** There are no prompts, completions, logging levels and subscriptions, and no capability promises them. */
const notOffered = [
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'completion-complete',
  'logging-set-level',
  'resources-subscribe',
  'resources-unsubscribe',
];
const notApplicable = [...needsTestTools, ...needsTestResources, ...notOffered];
export const applicable = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

/** The suite knows no keys: a proxy adds one, and changes nothing else. */
async function keyProxy({ url, key }: { url: string; key: string }) {
  const { hostname, port } = new URL(url);
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const sent = forward(
      { hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${key}` } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    request.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Verdict {
  /** 0 when all failed that should, and nothing else. */
  code: number;
  passed: string[];
  output: string;
}

export async function runConformance(api: { url: string; key: string }): Promise<Verdict> {
  await using proxy = await keyProxy(api);
  const folder = await mkdtemp(join(tmpdir(), 'browserd-conformance-'));
  try {
    const baseline = join(folder, 'baseline.yml');
    await writeFile(baseline, `server:\n${notApplicable.map((name) => `  - ${name}\n`).join('')}`);
    const options = ['--suite', 'all', '--expected-failures', baseline];
    return await verdictOf([suite, 'server', '--url', `${proxy.url}/mcp`, ...options], folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const verdictOf = (args: string[], cwd: string): Promise<Verdict> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd, env: { ...process.env, ...compiledBefore } },
      (error, stdout, stderr) => {
        const output = stdout + stderr;
        const passed = [...output.matchAll(/^✓ (\S+): [1-9]\d* passed/gm)].map(([, name]) => name ?? '');
        resolve({ code: error ? Number(error.code ?? -1) : 0, passed, output });
      },
    );
  });

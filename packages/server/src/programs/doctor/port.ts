/** Whether the configured port is free, or taken by a browserd that runs already. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../config.ts';
import { type Finding, fail, ok } from './finding.ts';

const patienceMs = 3000;

/** Whether the service could listen, or already does. */
export async function checkPort({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): Promise<{ finding: Finding; served: boolean }> {
  const result = (finding: Finding, served = false) => ({ finding, served });
  const where = `${host}:${port}`;
  if (port === 0) return result(ok('port', 'a free one is taken at start'));
  const trouble = await whyNot(host, port);
  if (trouble === undefined) return result(ok('port', `${where} is free`));
  if (trouble.code !== 'EADDRINUSE') {
    const fix = 'Set BROWSERD_HOST to an address of this machine and BROWSERD_PORT to 1024 or above.';
    return result(fail('port', `${where}: ${trouble.message}`, fix));
  }
  const version = await browserdAt(host, port);
  if (version !== undefined) return result(ok('port', `browserd ${version} is answering at ${where}`), true);
  const fix = 'Stop the other program, or set BROWSERD_PORT to another port.';
  return result(fail('port', `${where} is taken by another program`, fix));
}

async function whyNot(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** The version it says; undefined when what answers there is something else. */
async function browserdAt(host: string, port: number): Promise<string | undefined> {
  const name =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}/health`, { signal: AbortSignal.timeout(patienceMs) });
    const { status, version } = (await answer.json()) as { status?: unknown; version?: unknown };
    return status === 'ok' && typeof version === 'string' && /^[\w.+-]{1,40}$/.test(version)
      ? version
      : undefined;
  } catch {
    return undefined;
  }
}

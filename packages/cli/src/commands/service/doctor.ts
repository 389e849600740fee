/**
 * `doctor`: without an address and with the service installed, the service's own doctor examines this machine; otherwise
 * the service at that address is examined, as far as a client can see it.
 */
import { BrowserdError } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call } from '../../call/call.ts';
import { AlreadyReported, exitCodes, explain } from '../../failure.ts';
import { examples } from '../../options/options.ts';
import { oneLine } from '../../output/output.ts';
import { install, runServerProgram, serverFile } from '../../server/server.ts';
import { version } from '../../version.ts';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('what is wrong, and how to mend it: of this machine, or of the service at --url')
    .addHelpText(
      'after',
      examples('browserd doctor', 'browserd doctor --url https://browsers.example.com --json'),
    )
    .action(
      act(async (call: Call) => {
        const file = call.settings.urlIsDefault ? serverFile('doctor') : undefined;
        const code = file
          ? await runServerProgram(file, call.out.json ? ['--json'] : [], process.env)
          : printChecks(call, await examine(call));
        throw new AlreadyReported(code);
      }),
    );
}

interface Check {
  name: string;
  ok: boolean;
  detail: string;
  fix?: string;
}

async function examine(call: Call): Promise<Check[]> {
  const { client, settings, signal } = call;
  const checks: Check[] = [{ name: 'address', ok: true, detail: `${settings.url} (${settings.urlFrom})` }];
  const once = { signal, timeoutMs: 10_000 };
  const health = await attempt(client.health(once));
  if (health.error)
    return [
      ...checks,
      {
        name: 'reachable',
        ok: false,
        detail: health.error,
        fix: `Start it with: browserd serve (to install it: ${install}), or correct the address: --url, BROWSERD_URL, browserd config set url.`,
      },
    ];
  checks.push({ name: 'reachable', ok: true, detail: 'the service answers' });
  checks.push(versionCheck(health.value?.version ?? 'unknown'));
  checks.push(await keyCheck(call));
  const ready = await attempt(client.ready(once));
  if (ready.error) return [...checks, { name: 'ready', ok: false, detail: ready.error }];
  for (const [name, { ok, detail }] of Object.entries(ready.value?.checks ?? {}))
    checks.push({ name, ok, detail, fix: ok ? undefined : fixes[name] });
  return checks;
}

const fixes: Record<string, string> = {
  store: 'The operator checks BROWSERD_DATABASE_URL and the data folder.',
  chromium: 'On the machine of the service: browserd doctor',
  sandbox: 'On the machine of the service: browserd doctor',
  disk: 'Free room on the disk of the data folder, or shorten BROWSERD_RETENTION.',
  capacity: 'Close browsers that nobody needs (browserd browsers list), or raise BROWSERD_MAX_BROWSERS.',
};

/** The text comes from the service and ends up in a line that people paste into a shell. */
export const looksLikeVersion = (text: string): boolean => /^\d[\w.+-]{0,39}$/.test(text);

const versionCheck = (theirs: string): Check => ({
  name: 'version',
  ok: theirs === version,
  detail: theirs === version ? theirs : `the service is ${theirs}, this program is ${version}`,
  ...(theirs !== version &&
    looksLikeVersion(theirs) && {
      fix: `Use a client of the same version: npm run pack in a clone of ${theirs}.`,
    }),
});

async function keyCheck({ client, settings, signal }: Call): Promise<Check> {
  const fix = 'Give a key that works with BROWSERD_API_KEY, or keep it with: browserd config set key -';
  if (settings.key === undefined) return { name: 'key', ok: false, detail: 'there is none', fix };
  const { error } = await attempt(client.browsers.list({ limit: 1 }, { signal }).page());
  const from = `from ${settings.keyFrom}`;
  return error
    ? { name: 'key', ok: false, detail: `${from}: ${error}`, fix }
    : { name: 'key', ok: true, detail: from };
}

async function attempt<Value>(work: Promise<Value>): Promise<{ value?: Value; error?: string }> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof BrowserdError) return { error: explain(error)[0] ?? error.message };
    throw error;
  }
}

function printChecks({ out }: Call, checks: Check[]): number {
  const ok = checks.every((check) => check.ok);
  if (out.json) out.document({ ok, checks });
  else
    out.lines(
      checks.flatMap(({ name, ok: fine, detail, fix }) => [
        `${fine ? 'ok  ' : 'FAIL'}  ${name.padEnd(10)} ${oneLine(detail)}`,
        ...(fix ? [`${' '.repeat(17)}fix: ${fix}`] : []),
      ]),
    );
  return ok ? exitCodes.done : exitCodes.refused;
}

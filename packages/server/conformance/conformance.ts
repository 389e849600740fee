/**
 * npm run conformance [-- --engine shell|full] [--only TEXT]: the same client at a bare Chromium and at a browser of the
 * service. Prints where they differ; ends with 1 when that is more or less than what docs/cdp.md tells.
 */
import { parseArgs } from 'node:util';
import { startBench } from '../bench/service.ts';
import { enginesHere, startBare } from './bare.ts';
import { compare } from './compare.ts';
import { denials } from './denials.ts';
import { startConformanceSite } from './site.ts';
import { type Result, summaryOf, tableOf } from './verdict.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string', default: '' },
    quiet: { type: 'boolean', default: false },
  },
});

const found = await enginesHere();
const engines = found.filter((engine) => (values.engine ?? engine) === engine);
if (engines.length === 0) {
  console.error(`There is no engine ${values.engine ?? ''} here. Found: ${found.join(', ') || 'none'}.`);
  process.exit(2);
}

// What a check that has failed left under way ends when its pages are closed, and says so.
process.on('unhandledRejection', () => undefined);
const results: Result[] = [];
await using site = await startConformanceSite();
await using service = await startBench({ BROWSERD_PRIVATE_ACCESS: 'localhost', BROWSERD_POOL_SIZE: '0' });
const endService = (): boolean => process.kill(service.pid);
process.once('exit', endService);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
for (const engine of engines) {
  await using bare = await startBare(engine);
  const { id } = await service.create({ engine, policy: { privateAccess: { localhost: true } } });
  const { url } = await service.call<{ url: string }>('POST', `/v1/browsers/${id}/capabilities`, {
    kind: 'cdp',
    ttlSeconds: 86_400,
  });
  const sides = { engine, bare: bare.url, ours: url, site };
  const told = (result: Result): void => {
    if (!values.quiet) console.error(`${engine} ${result.check}`);
    const row = tableOf([result], denials);
    if (row) console.log(row);
  };
  results.push(...(await compare(sides, (check) => check.includes(values.only), told)));
  await service.remove(id);
}
process.off('exit', endService);
const { same, meant, different, 'no longer different': gone } = summaryOf(results, denials);
console.log(
  `\n${results.length} checks: ${same} the same, ${meant} meant to differ, ${different} different, ${gone} no longer different`,
);
process.exitCode = different + gone > 0 ? 1 : 0;

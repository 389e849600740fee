/** npm run bench [-- part …]: measures the service beside its rivals in one run; read the ratios. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBeside } from './beside.ts';
import { benchCapture } from './capture.ts';
import { benchCdp } from './cdp.ts';
import { benchCluster } from './cluster.ts';
import { benchConsole } from './console.ts';
import { benchCreate } from './create.ts';
import { benchCycle } from './cycle.ts';
import { benchExecute } from './execute.ts';
import { benchFailover } from './failover.ts';
import { benchFlood } from './flood.ts';
import { benchHop } from './hop.ts';
import { benchJobs } from './jobs.ts';
import { benchLive } from './live.ts';
import { print, type Row } from './measure.ts';
import { benchMemory } from './memory.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchNetwork } from './network.ts';
import { benchObserve } from './observe.ts';
import { benchProfiles } from './profiles.ts';
import { benchQuick } from './quick.ts';
import { benchReading } from './reading.ts';
import { benchRecord } from './record.ts';
import { benchRefill } from './refill.ts';
import { benchRules } from './rules.ts';
import { benchSizing } from './sizing.ts';
import { benchSoak } from './soak.ts';
import { benchStart } from './start.ts';
import { benchTransfer } from './transfer.ts';

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    attack: { type: 'string', default: '' },
    share: { type: 'string', default: '1' },
    other: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '' },
    busy: { type: 'string', default: '0' },
  },
});

const parted = (list: string): string[] => list.split(',').filter(Boolean);

const parts: Record<string, () => Promise<Row[]>> = {
  start: benchStart,
  create: benchCreate,
  cycle: benchCycle,
  profiles: benchProfiles,
  execute: benchExecute,
  capture: benchCapture,
  quick: () =>
    benchQuick({
      only: parted(values.only),
      atOnce: parted(values['at-once']).map(Number),
      busy: Number(values.busy),
    }),
  jobs: benchJobs,
  cdp: benchCdp,
  refill: benchRefill,
  memory: benchMemory,
  transfer: benchTransfer,
  sizing: benchSizing,
  soak: benchSoak,
  console: benchConsole,
  network: benchNetwork,
  rules: benchRules,
  flood: benchFlood,
  record: benchRecord,
  live: benchLive,
  reading: benchReading,
  observe: benchObserve,
  cluster: () => benchCluster({ seconds: Number(values.seconds), share: Number(values.share) }),
  failover: benchFailover,
  hop: benchHop,
  beside: () => benchBeside(values.other),
  neighbours: () => benchNeighbours({ seconds: Number(values.seconds), attack: values.attack }),
};

/** Takes minutes, so it is run only when it is named. */
const onlyByName = [
  'sizing',
  'soak',
  'cluster',
  'failover',
  'hop',
  'beside',
  'neighbours',
  'reading',
  'observe',
];

const unknown = wanted.filter((name) => !parts[name]);
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const rows: Row[] = [];
for (const [name, bench] of Object.entries(parts)) {
  if (wanted.length > 0 ? !wanted.includes(name) : onlyByName.includes(name)) continue;
  console.log(`\n${name}`);
  const measured = await bench();
  print(measured);
  rows.push(...measured);
}
const machine = {
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  node: process.version,
  arch: process.arch,
};
await writeFile(
  'bench-results.json',
  `${JSON.stringify({ at: new Date().toISOString(), machine, rows }, null, 2)}\n`,
);
console.log('\nWritten to bench-results.json.');

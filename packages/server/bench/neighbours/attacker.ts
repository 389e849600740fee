/** One attack, in a process of its own: `node attacker.ts <name>`, with BENCH_URL, BENCH_KEY and BENCH_ADMIN_KEY; it ends at SIGTERM. */
import { attacks } from './attacks.ts';
import { standAside } from './elsewhere.ts';
import { openWorld } from './world.ts';

const attack = attacks[process.argv[2] ?? ''];
if (!attack) throw new Error(`no such attack: ${process.argv[2]}`);
standAside();
const stop = new AbortController();
process.on('SIGTERM', () => {
  stop.abort();
  setTimeout(() => process.exit(0), 3000);
});
// What is thrown at the end of an attack, from amid its work, is of no interest.
process.on('unhandledRejection', () => undefined);
process.on('uncaughtException', () => undefined);
const world = await openWorld({
  url: process.env.BENCH_URL ?? '',
  key: process.env.BENCH_KEY ?? '',
  adminKey: process.env.BENCH_ADMIN_KEY ?? '',
  until: stop.signal,
});
await attack(world);
process.exit(0);

/** What an attack did to the neighbour, held against the bar, as a line while it runs and as a table for SECURITY.md. */
import type { Seen } from './victim.ts';

export interface Result {
  name: string;
  seen: Seen;
  /** Of the service, in MB above what it had before: when it had come to rest, and after how many seconds that was. */
  residentLater: number;
  restedAfterS: number;
}

const bar = {
  statusP99: 50,
  statusMost: 250,
  executeTimes: 3,
  healthMost: 250,
  residentMb: 200,
  databaseMb: 64,
};

/** Between two samples, where it falls between them. */
function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

const most = (values: number[]): number => values.reduce((a, b) => Math.max(a, b), 0);

function figures({ seen, residentLater, restedAfterS }: Result, quiet: Seen) {
  return {
    statusP50: quantile(seen.status, 0.5),
    statusP99: quantile(seen.status, 0.99),
    statusMost: most(seen.status),
    executeP50: quantile(seen.execute, 0.5),
    executeP99: quantile(seen.execute, 0.99),
    executeTimes: quantile(seen.execute, 0.99) / quantile(quiet.execute, 0.99),
    screenshotP99: quantile(seen.screenshot, 0.99),
    healthP50: quantile(seen.health, 0.5),
    healthMost: most(seen.health),
    residentMb: seen.residentMost - seen.residentBefore,
    residentLater,
    restedAfterS,
    databaseMb: seen.databaseAfter - seen.databaseBefore,
    failures: seen.failures.length,
  };
}

/** In what it misses the bar. */
function misses(result: Result, quiet: Seen): string[] {
  const found = figures(result, quiet);
  const over = Object.entries(bar).filter(([name, limit]) => found[name as keyof typeof bar] > limit);
  const names = over.map(([name]) => name);
  if (found.failures > 0) names.push('failures');
  return names;
}

const short = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const ms = (value: number): string => short(value).padStart(6);

export function line(result: Result, quiet: Seen): string {
  const found = figures(result, quiet);
  const missed = misses(result, quiet);
  return [
    result.name.padEnd(48),
    `status p50 ${ms(found.statusP50)} p99 ${ms(found.statusP99)} most ${ms(found.statusMost)}`,
    `execute p50 ${ms(found.executeP50)} p99 ${ms(found.executeP99)} (${found.executeTimes.toFixed(1)} ×)`,
    `shot p99 ${ms(found.screenshotP99)}`,
    `health p50 ${ms(found.healthP50)} most ${ms(found.healthMost)}`,
    `RSS +${found.residentMb.toFixed(0)} → +${found.residentLater.toFixed(0)} MB in ${found.restedAfterS} s`,
    `db +${found.databaseMb.toFixed(1)} MB`,
    `failed ${found.failures}${result.seen.failures[0] ? ` (${result.seen.failures[0]})` : ''}`,
    missed.length > 0 ? `MISSED: ${missed.join(', ')}` : '',
  ].join('  ');
}

export function table(results: Result[], quiet: Seen): string {
  const rows = results.map((result) => {
    const found = figures(result, quiet);
    return [
      result.name,
      `${short(found.statusP50)} / ${short(found.statusP99)} / ${short(found.statusMost)}`,
      `${short(found.executeP99)} (${found.executeTimes.toFixed(1)} ×)`,
      short(found.healthMost),
      `+${found.residentMb.toFixed(0)}`,
      `+${found.databaseMb.toFixed(1)}`,
      String(found.failures),
    ];
  });
  const head = [
    'attack',
    'status p50 / p99 / most',
    'execute p99',
    '/health most',
    'RSS MB',
    'database MB',
    'failed',
  ];
  const ruled = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows];
  return ruled.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

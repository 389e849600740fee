/**
 * What one node does for all of a cluster: browsers that no node holds are closed when their time is over, creates leave the line
 * when theirs is and the node that took them is lost, profiles are free again whose browsers are over, and what lost nodes had
 * under way is ended. A node that works alone has nothing of it: its browsers have timers, and its next start finds the rest.
 */
import type { Log } from './kit/log.ts';
import type { Turn } from './kit/turn.ts';
import type { Store } from './store/records.ts';

export interface ChoreParts {
  store: Pick<Store, 'placement'>;
  turn: Turn;
  log: Log;
  node: { alone: boolean };
  browsers: { closeOverdue(id: string): Promise<void>; leaveLine(id: string): Promise<void> };
  profiles: { releaseDead(): Promise<void> };
  endLostWork(): Promise<number>;
}

const overdueAtOnce = 50;
/** The node where it was stopped has its folder, or its caller waits there, and goes first; clocks of nodes differ by less. */
const patienceMs = 5000;
const usual = { overdueEveryMs: 5000, holdsEveryMs: 10_000, lostEveryMs: 60_000 };

export function startChores(parts: ChoreParts, pace = usual): AsyncDisposable {
  const { store, turn, log, node, browsers, profiles, endLostWork } = parts;
  const each = async (ids: readonly string[], close: (id: string) => Promise<void>): Promise<void> => {
    for (const id of ids)
      await close(id).catch((error: unknown) => {
        log.warn({ err: error, browserId: id }, 'browser.close_failed');
      });
  };
  const closeOverdue = async (): Promise<void> => {
    const now = Date.now() - patienceMs;
    const overdue = await store.placement.overdue(now, overdueAtOnce);
    await each(
      overdue.map(({ id }) => id),
      (id) => browsers.closeOverdue(id),
    );
    await each(await store.placement.lapsed(now, overdueAtOnce), (id) => browsers.leaveLine(id));
  };
  const endLost = async (): Promise<void> => {
    const ended = await endLostWork();
    if (ended > 0) log.warn({ artifacts: ended }, 'artifacts.ended_for_lost_nodes');
  };
  const chores = node.alone
    ? []
    : [
        repeated('overdue', pace.overdueEveryMs, closeOverdue),
        repeated('profile holds', pace.holdsEveryMs, () => profiles.releaseDead()),
        repeated('lost work', pace.lostEveryMs, endLost),
      ];

  function repeated(name: string, everyMs: number, work: () => Promise<void>): AsyncDisposable {
    let running: Promise<void> | undefined;
    const once = async (): Promise<void> => {
      try {
        if (await turn.take(name, everyMs / 2)) await work();
      } catch (error) {
        log.warn({ err: error, chore: name }, 'chore.failed');
      }
    };
    const timer = setInterval(() => {
      running ??= once().finally(() => {
        running = undefined;
      });
    }, everyMs).unref();
    return {
      async [Symbol.asyncDispose]() {
        clearInterval(timer);
        await running;
      },
    };
  }

  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(chores.map((chore) => chore[Symbol.asyncDispose]()));
    },
  };
}

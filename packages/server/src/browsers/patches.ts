/**
 * Changes of browsers by their owners. What is asked for is checked and written to the record, and then applied to the Chromium of
 * the browser, if it has one. Changes of one browser come one after the other, so that its Chromium has what was written last.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { KeyedMutex } from '../kit/mutex.ts';
import type { BrowserRecord } from '../store/records.ts';
import type { CreatesParts } from './creates.ts';
import { ElsewhereError, type Keeper, notReady, over } from './life/life.ts';
import { emulationOf } from './live/live.ts';
import {
  emulatedNames,
  exitNames,
  givenColumns,
  givenSettings,
  isElsewhere,
  refuseAboveCeiling,
  settingsIn,
  statuses,
  trustNames,
  withChanges,
  withIdentities,
} from './record/record.ts';
import type { PatchBrowser } from './record/schema.ts';
import type { Running } from './running/running.ts';

type Patch = PatchBrowser & { recording?: boolean };

export interface PatchesParts
  extends Pick<CreatesParts, 'store' | 'ceiling' | 'lists' | 'ruleFiles' | 'alone' | 'nodeId' | 'bootId'> {
  keeper: Pick<Keeper, 'running' | 'starting' | 'expiries'>;
  find(projectId: string, id: string): Promise<BrowserRecord>;
  /** What else writes settings of a browser takes its turn too. */
  turn: KeyedMutex;
}

/** A record that changes hands again and again while it is written is left to the caller to try. */
const tries = 3;
/** A page that is held up by a dialog or by its own script does not answer yet; the change takes effect there when it goes on. */
const pagesAnswerMs = 1000;

const orLate = (answered: Promise<void>): Promise<unknown> =>
  Promise.race([answered.catch(() => undefined), delay(pagesAnswerMs, undefined, { ref: false })]);

export class Patches {
  readonly #parts: PatchesParts;

  constructor(parts: PatchesParts) {
    this.#parts = parts;
  }

  /** The record with the change, which holds in its pages, too. */
  async patch(projectId: string, id: string, patch: Patch): Promise<BrowserRecord> {
    const { ceiling, lists, ruleFiles, turn } = this.#parts;
    const given = givenSettings(await withIdentities(patch));
    await refuseAboveCeiling(given.policy, ceiling, projectId);
    lists.refuseUnknown(given.policy);
    await ruleFiles.refuseMissing(given.policy, { projectId, browserId: id });
    return turn.run(id, async () => {
      const changed = await this.#write(projectId, id, given, patch);
      await this.#apply(changed, patch);
      return changed;
    });
  }

  /** The record says so before the secret is typed, so that it holds after a restart, too. */
  async noteSecret(running: Running): Promise<void> {
    if (running.secrets.typed) return;
    running.secrets.typed = true;
    const { id, projectId } = running;
    await this.#parts.turn.run(id, async () => {
      const record = await this.#parts.find(projectId, id);
      const settings = { ...settingsIn(record), secretTyped: true };
      await this.#parts.store.browsers.change(id, {}, { settings });
    });
  }

  /** Only where this node holds the browser, or none does: what is written must be what holds in its Chromium. */
  async #write(
    projectId: string,
    id: string,
    given: ReturnType<typeof givenSettings>,
    patch: Patch,
  ): Promise<BrowserRecord> {
    const { store, alone, find } = this.#parts;
    const changeable = statuses.filter((status) => !over.includes(status));
    for (let attempt = 1; ; attempt++) {
      const record = await find(projectId, id);
      if (isElsewhere(record, this.#parts)) throw new ElsewhereError(record);
      const changed = await store.browsers.change(
        id,
        { status: changeable, ...(!alone && { holder: record.holder }) },
        {
          ...(Object.keys(given).length > 0 && { settings: { ...withChanges(settingsIn(record), given) } }),
          ...givenColumns(patch, record),
        },
      );
      if (changed) return changed;
      const now = await find(projectId, id);
      if (now.holder === record.holder || attempt === tries) throw notReady(now);
    }
  }

  async #apply(record: BrowserRecord, patch: Patch): Promise<void> {
    const { keeper } = this.#parts;
    if (patch.maxDuration) keeper.expiries.set(record.id, record.expiresAt);
    const running = keeper.running.get(record.id);
    running?.acted();
    running?.setIdleTimeout(record.idleTimeout);
    const live = running?.live ?? keeper.starting.get(record.id);
    if (!live) return;
    const settings = settingsIn(record);
    const names = (some: readonly (keyof Patch)[]): boolean => some.some((name) => patch[name] !== undefined);
    if (names(exitNames)) live.setPolicy(settings);
    if (patch.dialogs) live.dialogs.setMode(patch.dialogs);
    // What the answer says holds in its pages when it is sent.
    if (patch.policy) await live.tabs.settled;
    if (names(emulatedNames as readonly (keyof Patch)[]))
      await orLate(live.tabs.emulate(emulationOf(settings)));
    if (names(trustNames)) await live.trust.set(settings);
  }
}

/** How a record gets its Chromium: a new one at create, its own again at resume and recovery. */
import { ApiError } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import type { KeyedMutex } from '../../kit/mutex.ts';
import type { BrowserRecord, Store } from '../../store/records.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { RuleFiles } from '../interception/interception.ts';
import { emulationOf, type LiveBrowser } from '../live/live.ts';
import { type BeginParts, type Begun, beginWith } from '../profile/profile.ts';
import {
  applyAll,
  changeStatus,
  type Permissions,
  permissionsIn,
  type Settings,
  settingsIn,
} from '../record/record.ts';
import { readState, restoreState, type SavedState, savedStorage } from '../running/running.ts';
import { recordEvents } from './browser-events.ts';
import { type ReopenParts, reopen, wantedExtensions } from './reopen.ts';
import { cutShort, keepOutcome, noteStartPage, openStartPage } from './start-page.ts';

export interface StartParts extends BeginParts, ReopenParts {
  store: Store;
  events: Events;
  downloads: Downloads;
  ruleFiles: RuleFiles;
  /** This node: where it runs is where its folder lies. */
  nodeId: string;
  /** Held while the settings of a browser are read to be written. */
  settingsTurn: KeyedMutex;
  /** Those that load their first pages; a change of their settings reaches them meanwhile. */
  starting: Map<string, LiveBrowser>;
}

export interface Started {
  record: BrowserRecord;
  live: LiveBrowser;
  saved?: SavedState;
}

/** A tab that brings Chromium down each time it opens is left closed from this recovery on. */
const recoveriesWithTabs = 2;
/** The same for one that may bring the service down. */
const deathsWithTabs = 1;

const goneMeanwhile = (record: BrowserRecord): ApiError =>
  new ApiError('BROWSER_NOT_READY', `Browser ${record.id} was closed while it was being started.`, {
    nextStep: 'create_browser',
  });

export async function startNew(
  parts: StartParts,
  record: BrowserRecord,
  signal: AbortSignal,
): Promise<Started> {
  signal.throwIfAborted();
  await using undo = new AsyncDisposableStack();
  const { live, permissions: saved, putRest } = await open(parts, record, signal);
  undo.use(live);
  const wanted = withPermissions(await attach(parts, record, live), saved);
  const settings = settingsIn(wanted);
  await applyAll(live.chromium.cdp, permissionsIn(wanted));
  if (settings.cookies?.length) {
    await live.tabs.settled;
    await live.chromium.cdp.send('Storage.setCookies', { cookies: settings.cookies });
  }
  const { startUrl } = settings;
  if (startUrl !== undefined) putRest?.();
  const opened = startUrl === undefined ? undefined : await openStartPage(live, startUrl);
  signal.throwIfAborted();
  if (opened) noteStartPage(parts, record, opened.page);
  if (settings.cookies?.length) await saveFirst(parts, record, live);
  const ready = await parts.settingsTurn.run(record.id, async () => {
    const now = (await parts.store.browsers.get(record.id)) ?? record;
    const { cookies: _, ...kept } = settingsIn(withPermissions(now, saved));
    return changeStatus(parts.store, record, 'ready', {
      readyAt: Date.now(),
      lastActionAt: Date.now(),
      nodeId: parts.nodeId,
      tabs: live.tabs.list().length,
      settings: { ...kept },
      startPage: opened ? { ...opened.page } : null,
    });
  });
  if (!ready) throw goneMeanwhile(record);
  applyChangeable(live, settingsIn(ready));
  if (startUrl === undefined) putRest?.();
  undo.move();
  if (opened?.outcome)
    keepOutcome(parts, ready, opened.outcome).catch((error: unknown) =>
      parts.log.warn({ err: error, browserId: record.id }, 'browser.start_page_not_noted'),
    );
  return { record: ready, live };
}

/** The record forgets its cookies once it is ready: from then on its saved state has them, should the service be killed at once. */
async function saveFirst(
  { store }: StartParts,
  { id, epoch }: BrowserRecord,
  live: LiveBrowser,
): Promise<void> {
  const data = { ...(await readState(live)) };
  await store.checkpoints.put({ browserId: id, epoch, at: Date.now(), data });
}

/** One that is warm, or one that begins with the profile that was asked for. */
async function open(parts: StartParts, record: BrowserRecord, signal: AbortSignal): Promise<Begun> {
  const { engine, profile } = settingsIn(record);
  const extensions = await wantedExtensions(parts.extensions, record);
  const { projectId } = record;
  if (!profile) {
    const fonts = await parts.fonts.of(projectId);
    return { live: await parts.pool.take(engine, signal, extensions, fonts) };
  }
  const { id: profileId, version, save } = profile;
  const wanted = { projectId, profileId, version, writes: save !== false, engine, extensions };
  return beginWith(parts, wanted, signal);
}

/** Those that were saved with its profile; what a create asks for beats them. */
function withPermissions(record: BrowserRecord, saved: Permissions | undefined): BrowserRecord {
  if (!saved) return record;
  const { permissions, origins } = permissionsIn(record);
  const settings = {
    ...record.settings,
    permissions: { ...saved.permissions, ...permissions },
    originPermissions: { ...saved.origins, ...origins },
  };
  return { ...record, settings };
}

/**
 * From here on the Chromium works for this record: its folder, its events, its downloads, its settings. Returns the
 * record as it is now: its owner may have changed it while it waited in the queue.
 */
async function attach(parts: StartParts, record: BrowserRecord, live: LiveBrowser): Promise<BrowserRecord> {
  await parts.profiles.assign(live.folder, record.id);
  recordEvents(parts.events, record, live);
  parts.downloads.keep(record, live.downloads);
  const owner = { projectId: record.projectId, browserId: record.id };
  live.interception.answerWith((fileId) => parts.ruleFiles.read(owner, fileId));
  if (settingsIn(record).policy.privateAccess) await parts.live.ceiling.look(record.projectId);
  live.belongTo(record.projectId, settingsIn(record).memoryMb);
  if (settingsIn(record).har) live.network.keepAll();
  let prepared: Promise<unknown> | undefined;
  const wanted = await parts.settingsTurn.run(record.id, async () => {
    const now = (await parts.store.browsers.get(record.id)) ?? record;
    applyChangeable(live, settingsIn(now));
    // Begun in this turn: a change that comes later is applied later.
    const settings = settingsIn(now);
    prepared = Promise.all([live.tabs.emulate(emulationOf(settings)), live.trust.set(settings)]);
    parts.starting.set(record.id, live);
    return now;
  });
  await prepared;
  await live.loadExtensions();
  return wanted;
}

/** The settings that the owner may change at any time. */
function applyChangeable(live: LiveBrowser, settings: Settings): void {
  live.setPolicy(settings);
  live.dialogs.setMode(settings.dialogs);
}

/** Brings a browser back on its own profile folder, or on a new one with what was saved. */
export async function startAgain(
  parts: StartParts,
  record: BrowserRecord,
  how: 'resume' | 'recovery',
  signal: AbortSignal,
): Promise<Started> {
  const checkpoint = await parts.store.checkpoints.get(record.id);
  const saved = checkpoint?.data as SavedState | undefined;
  const { live, lost, isOlder } = await reopen(parts, record, checkpoint?.epoch, signal);
  await using undo = new AsyncDisposableStack();
  // The folder stays: it is all that the browser has.
  undo.defer(() => live.release());
  await attach(parts, record, live);
  await applyAll(live.chromium.cdp, permissionsIn(record)).catch((error: Error) =>
    lost.push(`permissions: ${error.message}`),
  );
  live.dialogs.remember(saved?.dialogs ?? []);
  if (saved)
    lost.push(
      ...(await restoreState(live, saved, {
        localStorage:
          how === 'recovery' || lost.length > 0 ? savedStorage(parts.store, record.id, saved) : undefined,
        overOlder: isOlder,
        withTabs: record.recoveries <= recoveriesWithTabs && record.serviceDeaths <= deathsWithTabs,
      })),
    );
  if (how === 'recovery')
    lost.push(
      'what pages held in memory: scripts, form input, session storage, history',
      ...unsaved(checkpoint),
    );
  const ready = await changeStatus(
    parts.store,
    record,
    'ready',
    {
      readyAt: Date.now(),
      lastActionAt: Date.now(),
      stoppedAt: null,
      nodeId: parts.nodeId,
      tabs: live.tabs.list().length,
      ...cutShort(record),
    },
    how === 'recovery' ? { type: 'browser.recovered', data: { lost } } : { data: { lost } },
  );
  if (!ready) throw goneMeanwhile(record);
  applyChangeable(live, settingsIn(ready));
  undo.move();
  return { record: ready, live, saved };
}

const unsaved = (checkpoint: { at: number } | undefined): string[] =>
  checkpoint
    ? [`cookies and local storage changed after ${new Date(checkpoint.at).toISOString()}`]
    : ['cookies, local storage and tabs: nothing had been saved yet'];

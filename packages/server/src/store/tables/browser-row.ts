/**
 * Between a browser and its row. Of its settings, those that may hold a secret are sealed as one value beside the others;
 * a browser that has none of them, as most, costs nothing.
 */
import type { Sealing } from '../../sealing/sealing.ts';
import { aboutOf, type Database, openText, type Row, rowShape, sealText } from '../databases/databases.ts';
import type { BrowserRecord } from '../records.ts';

type Json = 'metadata' | 'settings' | 'receipt' | 'startPage' | 'handoff';
type Settings = BrowserRecord['settings'];
export type BrowserRow = Database['browsers'];
export type BrowserPatch = Partial<Row<BrowserRecord, Json>>;

const shape = rowShape<BrowserRecord, Json>('metadata', 'settings', 'receipt', 'startPage', 'handoff');

const secretSettings = new Set(['cookies', 'extraHeaders', 'proxy', 'httpCredentials', 'clientCertificates']);
const sealedName = 'sealed';

export function sealSettings(sealing: Sealing, id: string, settings: Settings): Settings {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  const secret = entries.filter(([name]) => secretSettings.has(name));
  if (secret.length === 0) return settings;
  const text = JSON.stringify(Object.fromEntries(secret));
  return {
    ...Object.fromEntries(entries.filter(([name]) => !secretSettings.has(name))),
    [sealedName]: sealText(sealing, text, aboutOf.settings(id)),
  };
}

export function openSettings(sealing: Sealing, id: string, stored: Settings): Settings {
  const { [sealedName]: sealed, ...settings } = stored;
  if (typeof sealed !== 'string') return stored;
  return { ...settings, ...JSON.parse(openText(sealing, sealed, aboutOf.settings(id))) };
}

/** Its sealed part; undefined when it has none. */
export const sealedPartOf = (stored: Settings): string | undefined => {
  const sealed = stored[sealedName];
  return typeof sealed === 'string' ? sealed : undefined;
};

/** Whether it still has, as it is, what is sealed today. */
export const hasPlainSecrets = (stored: Settings): boolean =>
  Object.keys(stored).some((name) => secretSettings.has(name));

export function browserRows(sealing: Sealing) {
  return {
    toRow: (record: BrowserRecord): BrowserRow =>
      shape.toRow({ ...record, settings: sealSettings(sealing, record.id, record.settings) }),
    toPatch(id: string, { settings, ...changes }: Partial<BrowserRecord>): BrowserPatch {
      return shape.toPatch({
        ...changes,
        ...(settings !== undefined && { settings: sealSettings(sealing, id, settings) }),
      });
    },
    toRecord(row: BrowserRow): BrowserRecord {
      const record = shape.toRecord(row);
      return { ...record, settings: openSettings(sealing, record.id, record.settings) };
    },
  };
}

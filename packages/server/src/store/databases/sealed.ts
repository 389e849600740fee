/**
 * Sealed values in columns. Text begins with a mark that neither JSON nor a secret of ours begins with, so what an older
 * version stored as it was is told apart, and read as it is.
 */
import { isSealed, keyIdIn, type Sealing } from '../../sealing/sealing.ts';
import type { Connection } from './database.ts';

export interface SealedConnection extends Connection {
  readonly sealing: Sealing;
}

const mark = 'sealed:';

const write = (sealed: Buffer): string => mark + sealed.toString('base64');
const read = (stored: string): Buffer => Buffer.from(stored.slice(mark.length), 'base64');

export const sealText = (sealing: Sealing, text: string, about: string): string =>
  write(sealing.seal(Buffer.from(text), about));

export const openText = (sealing: Sealing, stored: string, about: string): string =>
  stored.startsWith(mark) ? sealing.unseal(read(stored), about).toString() : stored;

export const sealLargeText = async (sealing: Sealing, text: string, about: string): Promise<string> =>
  write(await sealing.sealLarge(Buffer.from(text), about));

export const openLargeText = async (sealing: Sealing, stored: string, about: string): Promise<string> =>
  stored.startsWith(mark) ? (await sealing.unsealLarge(read(stored), about)).toString() : stored;

export const openBytes = async (sealing: Sealing, stored: Uint8Array, about: string): Promise<Uint8Array> =>
  isSealed(stored) ? await sealing.unsealLarge(stored, about) : stored;

/** The id of the key that sealed a value; undefined when it is not sealed. */
export function sealedBy(stored: string | Uint8Array): string | undefined {
  const bytes = typeof stored !== 'string' ? stored : stored.startsWith(mark) ? read(stored) : undefined;
  return bytes && isSealed(bytes) ? keyIdIn(bytes) : undefined;
}

/** What a sealed value is about. It is authenticated with the value, so none of these words may change. */
export const aboutOf = {
  checkpoint: (browserId: string) => `checkpoint ${browserId}`,
  localStorage: (browserId: string, origin: string) => `local storage ${browserId} ${origin}`,
  settings: (browserId: string) => `settings ${browserId}`,
  webhook: (id: string) => `webhook ${id}`,
  answer: (projectId: string, key: string) => `answer ${projectId} ${key}`,
  projectSecret: (id: string) => `secret ${id}`,
  job: (id: string) => `job ${id}`,
  jobItem: (jobId: string, index: number) => `job item ${jobId} ${index}`,
  serviceSecret: (name: string) => `service secret ${name}`,
};

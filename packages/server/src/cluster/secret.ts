/** The key by which nodes know each other on the hop: made once, kept sealed in the database, the same on all nodes. */
import { randomBytes } from 'node:crypto';
import type { Store } from '../store/records.ts';

const keyBytes = 32;

/** Asked once; a failure is not kept. */
export function hopSecret({ secrets }: Pick<Store, 'secrets'>): () => Promise<Uint8Array> {
  let known: Promise<Uint8Array> | undefined;
  return () => {
    known ??= secrets.ensure('cluster', randomBytes(keyBytes).toString('hex')).then(
      (hex) => Buffer.from(hex, 'hex'),
      (error: unknown) => {
        known = undefined;
        throw error;
      },
    );
    return known;
  };
}

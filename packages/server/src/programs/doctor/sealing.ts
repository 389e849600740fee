/** Whether the keys at hand are those that sealed what is stored; none is made here. */
import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { keyFileIn, openSealing } from '../../sealing/sealing.ts';
import { askSealingKeys } from '../../store/store.ts';
import { type Finding, fail, messageOf, ok } from './finding.ts';

const name = 'secret key';

export async function checkSealing({
  secretKey,
  dataDir,
  databaseUrl,
}: Pick<Config, 'secretKey' | 'dataDir' | 'databaseUrl'>): Promise<Finding> {
  const file = keyFileIn(dataDir);
  try {
    const { keyIds } = openSealing({ secretKey, dataDir });
    const needed = await askSealingKeys(databaseUrl ?? `sqlite:${resolve(dataDir, 'browserd.sqlite')}`).catch(
      // that it does not answer is the finding of the database
      () => [],
    );
    const missing = needed.filter((id) => !keyIds.includes(id));
    if (missing.length > 0)
      return fail(
        name,
        `the database holds values sealed with ${missing.join(', ')}; at hand: ${keyIds.join(', ') || 'no key'}`,
        `Add that key to BROWSERD_SECRET_KEY after the one that seals, or restore ${file} from a backup.`,
      );
    const [first, ...others] = keyIds;
    if (!first) return ok(name, `${file} (made at the first start; keep a copy of it)`);
    const from = secretKey ? 'BROWSERD_SECRET_KEY' : file;
    const also = others.length > 0 ? `, opens with ${others.join(', ')} too` : '';
    return ok(name, `${from} seals with ${first}${also}`);
  } catch (error) {
    return fail(name, messageOf(error), 'Make a key with: openssl rand -base64 32');
  }
}

/**
 * Access that can be passed on: to one browser, in one way, for a while, without a key.
 *
 *   bdc_ base64url([kind, browser, project, key, mode, expiry]) . base64url(HMAC-SHA256)
 *
 * The token carries everything that is needed to check it, so nothing is stored for it; the secret that signs it is
 * kept with the records, so that every node of one database, now and after a restart, reads it alike. It acts in the
 * name of the key that created it and ends with that key.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { Store } from '../store/records.ts';

export type CapabilityKind = 'cdp' | 'live';
export type CapabilityMode = 'view' | 'control';

export interface Grant {
  kind: CapabilityKind;
  mode: CapabilityMode;
  browserId: string;
  projectId: string;
  /** The key in whose name it acts. */
  keyId: string;
  expiresAt: number;
}

const secretName = 'capabilities';
const shape = /^bdc_([\w-]{1,1024})\.([\w-]{43})$/;

const refusal = (why: string): ApiError =>
  new ApiError('UNAUTHENTICATED', `The \`token\` of the address is not valid: ${why}. Ask for a new one.`, {
    headers: { 'www-authenticate': 'Bearer' },
  });

const write = (grant: Grant): string =>
  Buffer.from(
    JSON.stringify([grant.kind, grant.browserId, grant.projectId, grant.keyId, grant.mode, grant.expiresAt]),
  ).toString('base64url');

/** Only for a text whose signature is right: the service itself wrote it, in the form above. */
function read(text: string): Grant {
  const fields = JSON.parse(Buffer.from(text, 'base64url').toString());
  const [kind, browserId, projectId, keyId, mode, expiresAt] = fields;
  return { kind, browserId, projectId, keyId, mode, expiresAt };
}

export class Capabilities {
  readonly #store: Pick<Store, 'secrets'>;
  #secret: Promise<Buffer> | undefined;

  constructor(parts: { store: Pick<Store, 'secrets'> }) {
    this.#store = parts.store;
  }

  async issue(grant: Grant): Promise<string> {
    const text = write(grant);
    return `bdc_${text}.${(await this.#sign(text)).toString('base64url')}`;
  }

  /** What the token grants, if it was signed here, is not over, and is for this browser and this kind of access. */
  async check(token: unknown, kind: CapabilityKind, browserId: string): Promise<Grant> {
    const [, text, signature] = (typeof token === 'string' && shape.exec(token)) || [];
    if (text === undefined || signature === undefined) throw refusal('it is not one of ours');
    const expected = await this.#sign(text);
    if (!timingSafeEqual(expected, Buffer.from(signature, 'base64url')))
      throw refusal('it is not one of ours');
    const grant = read(text);
    if (grant.kind !== kind || grant.browserId !== browserId)
      throw refusal('it is for another browser, or another kind of access');
    if (grant.expiresAt <= Date.now()) throw refusal('it has expired');
    return grant;
  }

  async #sign(text: string): Promise<Buffer> {
    this.#secret ??= this.#readSecret().catch((error: unknown) => {
      this.#secret = undefined;
      throw error;
    });
    return createHmac('sha256', await this.#secret)
      .update(text)
      .digest();
  }

  async #readSecret(): Promise<Buffer> {
    const fresh = randomBytes(32).toString('base64url');
    return Buffer.from(await this.#store.secrets.ensure(secretName, fresh), 'base64url');
  }
}

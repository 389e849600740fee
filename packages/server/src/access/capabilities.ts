/**
 * Access that can be passed on: to one browser in one way, or to the content of one file, download or recording; for a while,
 * without a key.
 *
 *   bdc_ base64url([kind, subject, project, key, mode, expiry, tab?]) . base64url(HMAC-SHA256)
 *
 * The token carries everything that is needed to check it, so nothing is stored for it; the secret that signs it is
 * kept with the records, so that every node of one database, now and after a restart, reads it alike. It acts in the
 * name of the key that created it and ends with that key.
 *
 * Beside it stands what the page of the viewer may be framed by. That has to reach the service with the request for the
 * page, where a token must not be; so it is a text of its own, which opens nothing:
 *
 *   bde_ base64url([browser, origin, …]) . base64url(HMAC-SHA256)
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { Store } from '../store/records.ts';

export type CapabilityKind = 'cdp' | 'live' | 'content';
export type CapabilityMode = 'view' | 'control';

export interface Grant {
  kind: CapabilityKind;
  mode: CapabilityMode;
  /** The id of the browser; of `content`: of the file, the download or the recording. */
  subjectId: string;
  projectId: string;
  /** The key in whose name it acts. */
  keyId: string;
  expiresAt: number;
  /** Of `live`: the only tab that is shown and controlled. */
  tabId?: string;
}

const secretName = 'capabilities';
const shape = /^bdc_([\w-]{1,1024})\.([\w-]{43})$/;
const framingShape = /^bde_([\w-]{1,5000})\.([\w-]{43})$/;
/** Set apart from the texts of tokens, which have no such sign: the signature of one is never that of the other. */
const framingText = (text: string): string => `embed.${text}`;

const refusal = (why: string): ApiError =>
  new ApiError('UNAUTHENTICATED', `The \`token\` of the address is not valid: ${why}. Ask for a new one.`, {
    headers: { 'www-authenticate': 'Bearer' },
  });

const encode = (fields: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(fields)).toString('base64url');
const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());

const write = ({ kind, subjectId, projectId, keyId, mode, expiresAt, tabId }: Grant): string =>
  encode([kind, subjectId, projectId, keyId, mode, expiresAt, ...(tabId === undefined ? [] : [tabId])]);

/** Only for a text whose signature is right: the service itself wrote it, in the form above. */
function read(text: string): Grant {
  const [kind, subjectId, projectId, keyId, mode, expiresAt, tabId] = decode(text);
  return { kind, subjectId, projectId, keyId, mode, expiresAt, ...(tabId !== undefined && { tabId }) };
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

  /** What the token grants, if it was signed here, is not over, and is for this subject and this kind of access. */
  async check(token: unknown, kind: CapabilityKind, subjectId: string): Promise<Grant> {
    const [, text, signature] = (typeof token === 'string' && shape.exec(token)) || [];
    if (text === undefined || signature === undefined) throw refusal('it is not one of ours');
    if (!(await this.#isSigned(text, signature))) throw refusal('it is not one of ours');
    const grant = read(text);
    if (grant.kind !== kind || grant.subjectId !== subjectId)
      throw refusal('it is for something else, or another kind of access');
    if (grant.expiresAt <= Date.now()) throw refusal('it has expired');
    return grant;
  }

  /** Says to the page of the viewer of this browser by which origins it may be framed. */
  async issueFraming(browserId: string, origins: readonly string[]): Promise<string> {
    const text = encode([browserId, ...origins]);
    return `bde_${text}.${(await this.#sign(framingText(text))).toString('base64url')}`;
  }

  /** The origins that may frame it; none where this was not signed here, or is for another browser. */
  async framersIn(framing: unknown, browserId: string): Promise<string[]> {
    const [, text, signature] = (typeof framing === 'string' && framingShape.exec(framing)) || [];
    if (text === undefined || signature === undefined) return [];
    if (!(await this.#isSigned(framingText(text), signature))) return [];
    const [signedFor, ...origins] = decode(text);
    return signedFor === browserId ? origins : [];
  }

  async #isSigned(text: string, signature: string): Promise<boolean> {
    return timingSafeEqual(await this.#sign(text), Buffer.from(signature, 'base64url'));
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

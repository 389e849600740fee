/**
 * Types a secret into the field that has the focus:
 *
 *   who may read along? ──> the field, its document's origin ──> noted and masked ──> looked at again and typed, in one task
 *
 * The value goes from the store to Chromium. Neither the runner that asked for it nor the caller gets it.
 */
import { type BrowsersOnNode, CdpError, type Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { SecretField } from '../inside/inside.ts';
import { dialogOpen, noTab, targetOf } from '../reach/reach.ts';
import { FocusedField } from './focused-field.ts';

interface SecretTypingParts {
  browsers: Pick<BrowsersOnNode, 'noteSecret'>;
  secrets: Pick<Secrets, 'find' | 'use'>;
  events: Pick<Events, 'note'>;
  /** How many CDP clients are connected to a browser. */
  clientsOf(running: Running): number;
}

interface AskedSecret {
  name: string;
  /** Only a code of the moment will do. */
  code: boolean;
  /** The CDP target of the tab that the field is in. */
  targetId: string;
}

export class SecretTyping {
  readonly #parts: SecretTypingParts;

  constructor(parts: SecretTypingParts) {
    this.#parts = parts;
  }

  async type(
    running: Running,
    keyId: string,
    { name, code, targetId }: AskedSecret,
  ): Promise<{ origin: string }> {
    const { secrets, browsers, events } = this.#parts;
    const { projectId, id: browserId } = running;
    this.#refuseReaders(running);
    const { origins } = await secrets.find(projectId, name);
    const tabId = running.live.tabs.tabOf(targetId);
    if (!tabId) throw noTab(targetId, 'The tab of the field has just been closed.');
    const page = await targetOf(running, tabId);
    if (page.blocker() === 'dialog') throw dialogOpen();
    await using field = await FocusedField.find(page);
    if (!field) throw unusable('nothing');
    check(await unlessGone(field.look()), origins, name);
    await browsers.noteSecret(running);
    this.#refuseReaders(running);
    const used = await secrets.use(projectId, name, code ? 'code' : 'any');
    const { origin } = check(await unlessGone(field.type(used.origins, used.text)), used.origins, name);
    events.note({
      type: 'secret.used',
      browserId,
      projectId,
      at: Date.now(),
      data: { name, secretId: used.id, origin, tabId, keyId },
    });
    return { origin };
  }

  #refuseReaders(running: Running): void {
    if (running.live.extensionIds.size > 0 && !running.secrets.allowCdp)
      throw new ApiError(
        'SECRET_CLIENT_ATTACHED',
        'This browser has extensions, which could read the secret. Use one without, or create it with `secrets: {allowCdp: true}`.',
      );
    if (running.secrets.allowCdp || this.#parts.clientsOf(running) === 0) return;
    throw new ApiError(
      'SECRET_CLIENT_ATTACHED',
      'A CDP client is connected to this browser and could read the secret. Disconnect it, or create the browser with `secrets: {allowCdp: true}`.',
    );
  }
}

/** The page went on to another document, and the field with the one before. */
const unlessGone = (asked: Promise<SecretField>): Promise<SecretField> =>
  asked.catch((error: unknown) => {
    throw error instanceof CdpError ? unusable('gone') : error;
  });

function check(field: SecretField, origins: readonly string[], name: string): SecretField {
  if (!origins.includes(field.origin))
    throw new ApiError(
      'SECRET_ORIGIN_MISMATCH',
      `The secret ${name} may be typed at ${origins.join(', ')} only, and the field is in a document of ${field.origin}. Nothing was typed.`,
      { details: { origin: field.origin, origins } },
    );
  if (field.problem) throw unusable(field.problem);
  return field;
}

const reasons: Record<NonNullable<SecretField['problem']>, string> = {
  nothing: 'No field has the focus: it is disabled, or lost the focus at once',
  'no field': 'What has the focus is no field for text',
  hidden: 'The field is not visible',
  disabled: 'The field is disabled',
  'read-only': 'The field is read-only',
  gone: 'The document of the field went away meanwhile',
};

const unusable = (problem: NonNullable<SecretField['problem']>): ApiError =>
  new ApiError('SECRET_FIELD_UNUSABLE', `${reasons[problem]}. Nothing was typed.`, { details: { problem } });

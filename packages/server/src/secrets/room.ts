/**
 * How many secrets a project may have, and how long their values may be in all: each is looked for in everything that leaves the
 * service, in all of its forms, which are many times as long as a value of letters that every form writes in its own way.
 */
import { ApiError } from '../errors.ts';
import { inSteps, shareOf } from '../kit/loop-share.ts';
import { formsInSteps } from './forms.ts';
import type { Totp } from './totp.ts';

/** What is sealed of a secret. */
export type Content = { value: string } | { totp: Totp };

interface Room {
  count: number;
  formBytes: number;
}

const mostSecrets = 1000;
const mostForms = 1024 ** 2;
/** With those that were replaced or deleted since the start and may still stand in a page. */
const mostMasked = 2 * mostForms;

/** A code is good for a minute or two; it is masked for longer, in case a page shows it late. */
export const codeMaskedMs = 600_000;

/** What masking it takes: of a seed, as many codes as may be masked at once. */
export async function formBytesOf(projectId: string, content: Content): Promise<number> {
  const [text, times] =
    'value' in content
      ? [content.value, 1]
      : ['0'.repeat(content.totp.digits), Math.ceil(codeMaskedMs / (content.totp.period * 1000)) + 1];
  const { bytes } = await inSteps(shareOf(projectId), formsInSteps(text));
  return bytes * times;
}

export function refuseTooMany(all: Room, more: Room): void {
  if (more.count > 0 && all.count >= mostSecrets)
    throw new ApiError(
      'TOO_MANY_SECRETS',
      `The project has ${mostSecrets} secrets, and may have no more. Delete one that is no longer needed.`,
      { details: { limit: mostSecrets } },
    );
  if (more.formBytes > 0 && all.formBytes + more.formBytes > mostForms)
    throw new ApiError(
      'TOO_MANY_SECRETS',
      `A value is looked for in every form in which it may come out of a page. Those of the project would take ${all.formBytes + more.formBytes} bytes, and may take ${mostForms}. Give a shorter value, or delete secrets that are no longer needed.`,
      { details: { limitBytes: mostForms } },
    );
}

/** Before another value is typed, which is masked from then on. */
export function refuseWithoutRoom(maskedBytes: number): void {
  if (maskedBytes < mostMasked) return;
  throw new ApiError(
    'TOO_MANY_SECRETS',
    `Nothing was typed. What was typed in this project since the service started is masked in all that leaves it, and there is no room for more than ${mostMasked} bytes of its forms. The operator can restart the service: it then forgets values that were replaced or deleted.`,
    { details: { limitBytes: mostMasked } },
  );
}

/** What no answer may hold of a secret, as text. */
import { atOnce } from '../../src/kit/at-once.ts';
import { formsInSteps } from '../../src/secrets/forms.ts';

export const formsOf = (value: string): string[] =>
  atOnce(formsInSteps(value)).all.map(({ bytes }) => Buffer.from(bytes).toString());

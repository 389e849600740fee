/** Values that the shell offers for an option which takes others too, such as several at once or a number. */
import type { Option } from 'commander';

const suggested = new WeakMap<Option, readonly string[]>();

export function suggest(option: Option, values: readonly string[]): Option {
  suggested.set(option, values);
  return option;
}

export const suggestionsOf = (option: Option): readonly string[] =>
  option.argChoices ?? suggested.get(option) ?? [];

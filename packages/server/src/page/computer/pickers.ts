/**
 * What Chromium would draw outside the page, where no picture shows it: lists, calendars, colours, file choosers. The caller is
 * told what there is to choose from; a list is closed again meanwhile, and a file chooser is answered with the files of the call.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import type { Picker } from '../view/view.ts';
import type { ActionOf } from './actions-schema.ts';
import type { Desk } from './desk.ts';
import type { PickerView } from './schema.ts';

const lookAgainMs = 20;
/** A long list takes Chromium a while to open and to close. */
const openMs = 3000;
const mostOptions = 200;

/** Undefined: nothing was opened. `patient`: something should be. */
export async function openedPicker(
  desk: Desk,
  patient: boolean,
  signal: AbortSignal,
): Promise<Picker | undefined> {
  const isExpected = (): boolean => patient || desk.choosers > 0;
  for (const until = performance.now() + openMs; isExpected() && performance.now() < until; ) {
    if (desk.picker || desk.pickerRefusal) break;
    await sleep(lookAgainMs, undefined, { signal });
  }
  if (desk.pickerRefusal) throw new ApiError('ELEMENT_NOT_ACTIONABLE', desk.pickerRefusal);
  return desk.picker;
}

export async function giveFiles(desk: Desk, picker: Picker, files: string[] | undefined): Promise<void> {
  await desk.controls.answer({ type: 'pick', pickerId: picker.id, ...(files && { files }) });
}

export async function choose(desk: Desk, action: ActionOf<'select'>, signal: AbortSignal): Promise<Picker> {
  const picker = await openedPicker(desk, true, signal);
  if (!picker || picker.kind === 'file')
    throw new ApiError(
      'ELEMENT_NOT_ACTIONABLE',
      'Nothing to choose from opens at this place: a list that is drawn in the page is used with click.',
    );
  const { options: wanted, value } = action;
  const options = wanted?.map((text) => indexOf(picker, text));
  await desk.controls.answer({
    ...{ type: 'pick', pickerId: picker.id },
    ...(options && { options }),
    ...(value !== undefined && { value }),
  });
  return picker;
}

function indexOf({ options = [], label }: Picker, wanted: string): number {
  const same = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();
  const usable = options.filter(({ disabled }) => !disabled);
  const found =
    usable.find(({ text }) => text === wanted) ?? usable.find(({ text }) => same(text) === same(wanted));
  if (found) return found.index;
  const known = usable.slice(0, 50).map(({ text }) => text);
  throw new ApiError(
    'ELEMENT_NOT_ACTIONABLE',
    `The list “${label}” has no option “${wanted.slice(0, 100)}” that can be chosen.`,
    { details: { options: known } },
  );
}

export const pickerView = ({ kind, label, value, multiple, accept, options }: Picker): PickerView => ({
  kind,
  label,
  value,
  ...(multiple !== undefined && { multiple }),
  ...(accept !== undefined && { accept }),
  ...(options && {
    options: options.slice(0, mostOptions).map(({ text, selected, disabled }) => ({
      text,
      ...(selected && { selected }),
      ...(disabled && { disabled }),
    })),
  }),
});

// The elements of index.html by their ids. One that is missing there, or is another kind of element, is told by its name.
const kinds = {
  address: HTMLInputElement,
  back: HTMLButtonElement,
  bar: HTMLFormElement,
  control: HTMLButtonElement,
  copy: HTMLButtonElement,
  dialog: HTMLDialogElement,
  'dialog-accept': HTMLButtonElement,
  'dialog-dismiss': HTMLButtonElement,
  'dialog-form': HTMLFormElement,
  'dialog-from': HTMLElement,
  'dialog-message': HTMLElement,
  'dialog-text': HTMLInputElement,
  downloads: HTMLElement,
  fit: HTMLButtonElement,
  forward: HTMLButtonElement,
  full: HTMLButtonElement,
  keyboard: HTMLButtonElement,
  keys: HTMLTextAreaElement,
  message: HTMLElement,
  notice: HTMLElement,
  paste: HTMLButtonElement,
  picker: HTMLDialogElement,
  'picker-accept': HTMLButtonElement,
  'picker-body': HTMLElement,
  'picker-cancel': HTMLButtonElement,
  'picker-clear': HTMLButtonElement,
  'picker-form': HTMLFormElement,
  'picker-label': HTMLElement,
  'picker-problem': HTMLElement,
  reload: HTMLButtonElement,
  screen: HTMLCanvasElement,
  stage: HTMLElement,
  status: HTMLElement,
  suggestions: HTMLElement,
  tabs: HTMLElement,
  trouble: HTMLElement,
};
type Kinds = typeof kinds;

export function $<Id extends keyof Kinds>(id: Id): InstanceType<Kinds[Id]> {
  const found = document.getElementById(id);
  if (found instanceof kinds[id]) return found as InstanceType<Kinds[Id]>;
  throw new Error(`index.html has no ${kinds[id].name} with the id "${id}".`);
}

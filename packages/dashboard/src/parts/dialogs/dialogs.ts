/** Modal dialogs: plain, for confirmation, around a form. */
export { Confirm, Dialog } from './dialog.tsx';
export { FormDialog } from './form-dialog.tsx';

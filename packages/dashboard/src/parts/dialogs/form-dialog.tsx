/** A dialog around a form, with Cancel and a submit button at its foot. While the form is sent, the dialog stays. */
import { type FormEvent, type ReactNode, type Ref, useId } from 'react';
import { Button } from '../controls/controls.ts';
import { Dialog } from './dialog.tsx';

interface Props {
  title: string;
  /** The label of the submit button. */
  action: string;
  busy: boolean;
  /** Something required is missing. */
  incomplete?: boolean;
  wide?: boolean;
  /** The service checks the values, not the web browser. */
  noValidate?: boolean;
  formRef?: Ref<HTMLFormElement>;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

export function FormDialog(props: Props) {
  const { title, action, busy, incomplete, wide, noValidate, formRef, onSubmit, onClose, children } = props;
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy && !incomplete) onSubmit();
  };
  return (
    <Dialog
      title={title}
      wide={wide}
      onClose={onClose}
      locked={busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" form={id} kind="primary" busy={busy} disabled={incomplete}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} ref={formRef} className="form" onSubmit={submit} noValidate={noValidate}>
        {children}
      </form>
    </Dialog>
  );
}

/** A secret that is shown once and never again, so the dialog closes by its button only. */
import { Button } from '../controls/controls.ts';
import { Dialog } from '../dialogs/dialogs.ts';
import { Note } from '../notices/notices.ts';
import { CopyButton } from './copy-button.tsx';

interface Props {
  title: string;
  /** What it is: "key", "secret". */
  what: string;
  secret: string;
  /** What to do with it. */
  about: string;
  onClose(): void;
}

export function SecretDialog({ title, what, secret, about, onClose }: Props) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      locked
      footer={
        <Button kind="primary" onClick={onClose}>
          {`I’ve saved the ${what}`}
        </Button>
      }
    >
      <Note kind="warning">
        <p>{`Copy the ${what} now. You won’t be able to see it again.`}</p>
      </Note>
      <div className="secret">
        <code>{secret}</code>
        <CopyButton text={secret} what={what} labelled />
      </div>
      <p className="soft">{about}</p>
    </Dialog>
  );
}

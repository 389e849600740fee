import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Note } from './note.tsx';

interface Props {
  title: string;
  /** What it is: "key", "secret". */
  what: string;
  secret: string;
  /** What to do with it. */
  about: string;
  onClose(): void;
}

/** Shown once, and gone when this is closed; so it closes only by its button. */
export function SecretDialog({ title, what, secret, about, onClose }: Props) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      held
      footer={
        <Button kind="primary" onClick={onClose}>
          {`I have kept the ${what}`}
        </Button>
      }
    >
      <Note kind="warning">
        <p>{`This is the only time the ${what} is shown. The service cannot show it again.`}</p>
      </Note>
      <div className="secret">
        <code>{secret}</code>
        <CopyButton text={secret} what={what} labelled />
      </div>
      <p className="soft">{about}</p>
    </Dialog>
  );
}

/** Copies a text or, where the web browser forbids that, shows it to be copied by hand. */
import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { Dialog } from '../dialogs/dialogs.ts';
import { TextArea } from '../forms/forms.ts';
import { copyText } from './copy-text.ts';

/** Gives whether it was copied. `what` names the text: "key", "address". */
export type Copy = (text: string, what: string) => Promise<boolean>;

const Context = createContext<Copy | undefined>(undefined);
export const useCopy = (): Copy => {
  const copy = use(Context);
  if (!copy) throw new Error('useCopy is for what stands inside CopyProvider');
  return copy;
};

export function CopyProvider({ children }: { children: ReactNode }) {
  const [byHand, setByHand] = useState<{ text: string; what: string }>();
  const copy = useCallback<Copy>(async (text, what) => {
    const copied = await copyText(text);
    if (!copied) setByHand({ text, what });
    return copied;
  }, []);
  return (
    <Context value={copy}>
      {children}
      {byHand && (
        <Dialog title={`Copy ${byHand.what}`} onClose={() => setByHand(undefined)}>
          <TextArea
            label="Text"
            hint="Your browser doesn’t allow copying here. Select the text and copy it yourself."
            readOnly
            rows={6}
            value={byHand.text}
            onValue={() => undefined}
            onFocus={(event) => event.target.select()}
          />
        </Dialog>
      )}
    </Context>
  );
}

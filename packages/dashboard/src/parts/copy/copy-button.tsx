/** A button that copies a text and says so for a moment. */
import { useEffect, useState } from 'react';
import { Button } from '../controls/controls.ts';
import { useCopy } from './copy-provider.tsx';

interface Props {
  text: string;
  /** What is copied: "key", "address". */
  what: string;
  /** With a label, not only an icon. */
  labelled?: boolean;
}

export function CopyButton({ text, what, labelled }: Props) {
  const [copied, setCopied] = useState(false);
  const copy = useCopy();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const label = copied ? 'Copied' : `Copy ${what}`;
  return (
    <Button
      small
      kind={labelled ? 'plain' : 'quiet'}
      icon={copied ? 'check' : 'copy'}
      aria-label={label}
      onClick={() => void copy(text, what).then(setCopied)}
    >
      {labelled ? label : undefined}
    </Button>
  );
}

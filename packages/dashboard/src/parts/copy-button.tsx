import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { useToast } from './toast.tsx';

interface Props {
  text: string;
  /** What is copied: "key", "address". */
  what: string;
  /** Also say so on the button. */
  labelled?: boolean;
}

export function CopyButton({ text, what, labelled }: Props) {
  const [copied, setCopied] = useState(false);
  const toast = useToast();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // on plain http from another machine the browser has no clipboard
      toast.warn('This browser does not let the page copy. Select the text and copy it by hand.');
    }
  };
  const label = copied ? 'Copied' : `Copy ${what}`;
  return (
    <Button
      small
      kind={labelled ? 'plain' : 'quiet'}
      icon={copied ? 'check' : 'copy'}
      aria-label={label}
      onClick={() => void copy()}
    >
      {labelled ? label : undefined}
    </Button>
  );
}

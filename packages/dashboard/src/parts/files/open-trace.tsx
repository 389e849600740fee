/**
 * Opens a trace in the viewer that the service has for it. The viewer shows what hostile pages showed, so it gets a tab of
 * its own that shares nothing with this one: no opener, no copy of the session with the key. All that it is given is the
 * address of the trace in the memory of this page, which is good for as long as this page is open.
 */
import type { Content } from '@browserd/sdk';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { Button } from '../controls/controls.ts';
import { useToast } from '../notices/notices.ts';

/** Time limit for all bytes, on a slow connection. */
const loadMs = 600_000;

export function OpenTraceButton(props: {
  label: string;
  /** With words on it; otherwise an icon, for rows of tables. */
  labelled?: boolean;
  fetch: (signal: AbortSignal) => Promise<Content>;
}) {
  const { label, labelled = false, fetch } = props;
  const toast = useToast();
  const address = useRef<string>(undefined);
  const opening = useMutation({
    mutationFn: async () => {
      address.current ??= URL.createObjectURL(await (await fetch(AbortSignal.timeout(loadMs))).blob());
      // A web browser opens a tab only shortly after a click.
      if (!navigator.userActivation.isActive)
        throw new Error('The trace took long to load. It is here now: press the button again to open it.');
      window.open(`/trace/open#${encodeURIComponent(address.current)}`, '_blank', 'noopener,noreferrer');
    },
    onError: toast.error,
  });
  return (
    <Button
      small
      kind={labelled ? 'plain' : 'quiet'}
      icon="eye"
      busy={opening.isPending}
      aria-label={labelled ? undefined : label}
      onClick={() => opening.mutate()}
    >
      {labelled ? label : undefined}
    </Button>
  );
}

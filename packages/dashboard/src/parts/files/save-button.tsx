/** Fetches bytes with the key, which a plain link cannot send, and saves them. */
import type { Content } from '@browserd/sdk';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../controls/controls.ts';
import { useToast } from '../notices/notices.ts';
import { saveBlob } from './save-blob.ts';

export function SaveButton(props: {
  name: string;
  label: string;
  /** With words on it; otherwise an icon, for rows of tables. */
  labelled?: boolean;
  fetch: (signal: AbortSignal) => Promise<Content>;
}) {
  const { name, label, labelled = false, fetch } = props;
  const toast = useToast();
  const saving = useMutation({
    mutationFn: async () => saveBlob(await (await fetch(AbortSignal.timeout(saveMs))).blob(), name),
    onError: toast.error,
  });
  return (
    <Button
      small
      kind={labelled ? 'plain' : 'quiet'}
      icon="download"
      busy={saving.isPending}
      aria-label={labelled ? undefined : label}
      onClick={() => saving.mutate()}
    >
      {labelled ? label : undefined}
    </Button>
  );
}
/** Time limit for all bytes, on a slow connection. */
const saveMs = 3_600_000;

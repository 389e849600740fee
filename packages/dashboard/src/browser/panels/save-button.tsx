import type { Content } from '@browserd/sdk';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { useToast } from '../../parts/toast.tsx';
import { saveBlob } from './save-blob.ts';

/** Fetches with the key, which a plain link could not send, and hands the bytes to the user's own downloads. */
export function SaveButton(props: {
  name: string;
  label: string;
  fetch: (signal: AbortSignal) => Promise<Content>;
}) {
  const { name, label, fetch } = props;
  const toast = useToast();
  const saving = useMutation({
    mutationFn: async () => saveBlob(await (await fetch(AbortSignal.timeout(saveMs))).blob(), name),
    onError: toast.error,
  });
  return (
    <Button
      small
      kind="quiet"
      icon="download"
      busy={saving.isPending}
      aria-label={label}
      onClick={() => saving.mutate()}
    />
  );
}
/** For all of the bytes, on a slow line. */
const saveMs = 3_600_000;

import type { Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../parts/dialog.tsx';
import { size } from '../parts/size.ts';
import { useToast } from '../parts/toast.tsx';

export function CloseDialog({ browser, onClose }: { browser: Browser; onClose: () => void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const closing = useMutation({
    mutationFn: () => browser.close(),
    onSuccess: ({ receipt }) => {
      onClose();
      toast.say(`Closed: ${receipt.processesEnded} processes ended, ${size(receipt.bytesFreed)} freed.`);
      void queries.invalidateQueries();
    },
  });
  return (
    <Confirm
      title="Close this browser?"
      action="Close browser"
      busy={closing.isPending}
      error={closing.error}
      onConfirm={() => closing.mutate()}
      onClose={onClose}
    >
      <p>
        Its process ends, and its tabs, cookies and storage are gone for good. Files, downloads and recordings
        stay until their time is up.
      </p>
    </Confirm>
  );
}

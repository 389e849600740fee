/** A delete button with a confirmation. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf, type Part } from '../../../data/data.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { Confirm } from '../../../parts/dialogs/dialogs.ts';
import { Untrusted } from '../../../parts/text/text.ts';

export function DeleteButton(props: {
  /** "report.csv", "recording of 10:42" */
  what: string;
  part: Part;
  browserId: string;
  remove: () => Promise<unknown>;
}) {
  const { what, part, browserId, remove } = props;
  const queries = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const deletion = useMutation({
    mutationFn: remove,
    // first the list, so that the focus is not given to a button that is about to go
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(browserId, part) });
      setIsConfirming(false);
    },
  });
  return (
    <>
      <Button
        small
        kind="quiet"
        icon="bin"
        aria-label={`Delete ${what}`}
        onClick={() => setIsConfirming(true)}
      />
      {isConfirming && (
        <Confirm
          title="Delete this item?"
          action="Delete"
          busy={deletion.isPending}
          error={deletion.error}
          onConfirm={() => deletion.mutate()}
          onClose={() => setIsConfirming(false)}
        >
          <Untrusted text={what} />
          <p className="soft">This can’t be undone.</p>
        </Confirm>
      )}
    </>
  );
}

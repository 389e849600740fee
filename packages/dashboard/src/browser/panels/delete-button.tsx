import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Untrusted } from '../../parts/untrusted.tsx';
import { type Part, refresh } from '../browser-queries.ts';

/** Asks before it deletes. */
export function DeleteButton(props: {
  /** "report.csv", "recording of 10:42" */
  what: string;
  part: Part;
  browserId: string;
  remove: () => Promise<unknown>;
}) {
  const { what, part, browserId, remove } = props;
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const deletion = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      setIsAsking(false);
      refresh(queries, browserId, [part]);
    },
  });
  return (
    <>
      <Button small kind="quiet" icon="bin" aria-label={`Delete ${what}`} onClick={() => setIsAsking(true)} />
      {isAsking && (
        <Confirm
          title="Delete it?"
          action="Delete"
          busy={deletion.isPending}
          error={deletion.error}
          onConfirm={() => deletion.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <Untrusted text={what} />
          <p className="soft">It cannot be brought back.</p>
        </Confirm>
      )}
    </>
  );
}

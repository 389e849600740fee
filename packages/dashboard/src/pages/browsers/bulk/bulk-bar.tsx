/** What can be done to the selected browsers, at the bottom of the screen while any are selected. */
import { useState } from 'react';
import { Button } from '../../../parts/controls/controls.ts';
import { type BulkAction, fitFor, type Listed } from './act-on-all.ts';
import { BulkDialog } from './bulk-dialog.tsx';

const actions = [
  { action: 'stop', label: 'Stop', icon: 'stop' },
  { action: 'resume', label: 'Resume', icon: 'play' },
  { action: 'close', label: 'Close', icon: 'bin' },
] as const;

interface Props {
  selected: readonly Listed[];
  onClear(): void;
}

export function BulkBar({ selected, onClear }: Props) {
  const [asking, setAsking] = useState<{ action: BulkAction; browsers: readonly Listed[] }>();
  return (
    <>
      {selected.length > 0 && (
        <section className="bulk" aria-label="Selected browsers">
          <p role="status">{selected.length} selected</p>
          {actions.map(({ action, label, icon }) => {
            const browsers = fitFor(action, selected);
            return (
              <Button
                key={action}
                small
                icon={icon}
                disabled={browsers.length === 0}
                onClick={() => setAsking({ action, browsers })}
              >
                {`${label} ${browsers.length}`}
              </Button>
            );
          })}
          <Button small kind="quiet" onClick={onClear}>
            Clear selection
          </Button>
        </section>
      )}
      {asking && <BulkDialog {...asking} onDone={onClear} onClose={() => setAsking(undefined)} />}
    </>
  );
}

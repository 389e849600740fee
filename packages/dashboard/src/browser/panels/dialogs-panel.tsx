import type { Browser } from '@browserd/sdk';
import { Time } from '../../parts/time.tsx';
import { Asked } from '../asked.tsx';
import { words } from '../timeline/event-words.ts';
import { DialogAnswer } from './dialog-answer.tsx';
import { LongText } from './long-text.tsx';
import { Panel } from './panel.tsx';
import { useDialogs } from './use-dialogs.ts';

export function DialogsPanel({ browser }: { browser: Browser }) {
  const query = useDialogs(browser);
  return (
    <Panel title="Dialogs">
      <Asked query={query} label="Loading dialogs">
        {(dialogs) =>
          dialogs.length === 0 ? (
            <p className="soft">No page opened a dialog.</p>
          ) : (
            <ul className="plain-list">
              {dialogs.map((dialog) =>
                dialog.state === 'open' ? (
                  <li key={dialog.id}>
                    <DialogAnswer browser={browser} dialog={dialog} />
                  </li>
                ) : (
                  <li key={dialog.id} className="two-lines">
                    <LongText text={dialog.message || `(${dialog.type} without words)`} />
                    <span className="faint">
                      {dialog.type}, {dialog.state} by {words(dialog.closedBy)} <Time at={dialog.openedAt} />
                    </span>
                  </li>
                ),
              )}
            </ul>
          )
        }
      </Asked>
    </Panel>
  );
}

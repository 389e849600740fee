/** All dialogs of a browser: open ones to answer, and how the others were closed. */
import type { Browser } from '@browserd/sdk';
import { Loaded } from '../../../data/data.ts';
import { Panel } from '../../../parts/panel.tsx';
import { asWords, LongText, Time } from '../../../parts/text/text.ts';
import { DialogAnswer } from './dialog-answer.tsx';
import { useDialogs } from './use-dialogs.ts';

export function DialogsPanel({ browser }: { browser: Browser }) {
  const query = useDialogs(browser);
  return (
    <Panel title="Dialogs">
      <Loaded query={query} label="Loading dialogs">
        {(dialogs) =>
          dialogs.length === 0 ? (
            <p className="soft">No dialogs so far.</p>
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
                      {dialog.type}, {dialog.state} by {asWords(dialog.closedBy)}{' '}
                      <Time at={dialog.openedAt} />
                    </span>
                  </li>
                ),
              )}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

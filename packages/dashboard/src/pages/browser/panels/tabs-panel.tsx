/** The tabs of a browser; of a ready one they can be opened, brought to the front, loaded again and closed. */
import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Loaded, refresh, usePart } from '../../../data/data.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { useToast } from '../../../parts/notices/notices.ts';
import { Panel } from '../../../parts/panel.tsx';
import { Untrusted, WebLink } from '../../../parts/text/text.ts';

type Change = (tabs: Browser['tabs']) => Promise<unknown>;

/** More are a matter for scripts. */
const mostShown = 100;

export function TabsPanel({ browser, isReady }: { browser: Browser; isReady: boolean }) {
  const query = usePart(browser, 'tabs', async (signal) =>
    browser.tabs.list({ limit: mostShown }, { signal }).page(),
  );
  const queries = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (work: Change) => work(browser.tabs),
    onError: toast.error,
    onSettled: () => refresh(queries, browser.id, ['tabs', 'status']),
  });
  return (
    <Panel
      title="Tabs"
      aside={
        isReady && (
          <Button
            small
            icon="plus"
            busy={change.isPending}
            onClick={() => change.mutate((tabs) => tabs.open())}
          >
            New tab
          </Button>
        )
      }
    >
      <Loaded query={query} label="Loading tabs">
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">No open tabs.</p>
          ) : (
            <ul className="plain-list">
              {items.map((tab) => (
                <TabRow key={tab.tabId} tab={tab} onChange={isReady ? change.mutate : undefined} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function TabRow({ tab, onChange }: { tab: api.BrowserTab; onChange?: (change: Change) => void }) {
  const { tabId, url, title, active, crashed, dialogOpen } = tab;
  const name = title || 'Untitled';
  const remark = crashed ? 'crashed' : dialogOpen ? 'waits in a dialog' : active ? 'active' : undefined;
  return (
    <li className="tab-row">
      <span className="two-lines">
        <span className="counted">
          <Untrusted text={name} />
          {remark && <b className="soft">{remark}</b>}
        </span>
        <WebLink url={url} className="faint" />
      </span>
      {onChange && (
        <span className="tab-actions">
          {!active && (
            <Button
              small
              kind="quiet"
              icon="up"
              aria-label={`Bring ${name} to the front`}
              onClick={() => onChange((tabs) => tabs.change(tabId, { active: true }))}
            />
          )}
          <Button
            small
            kind="quiet"
            icon="refresh"
            aria-label={`Reload ${name}`}
            onClick={() => onChange((tabs) => tabs.change(tabId, { go: 'reload' }))}
          />
          <Button
            small
            kind="quiet"
            icon="close"
            aria-label={`Close ${name}`}
            onClick={() => onChange((tabs) => tabs.close(tabId))}
          />
        </span>
      )}
    </li>
  );
}

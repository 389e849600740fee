/** The state of a browser: tabs, cookies, dialogs, permissions, captchas; of a stopped one, what a resume restores. */
import type { api, Browser } from '@browserd/sdk';
import { Loaded, usePart } from '../../../data/data.ts';
import { isOver } from '../../../parts/browser/browser.ts';
import { Empty } from '../../../parts/notices/notices.ts';
import { Panel } from '../../../parts/panel.tsx';
import { Untrusted } from '../../../parts/text/text.ts';
import { CaptchaPanel } from './captcha-panel.tsx';
import { DialogsPanel } from './dialogs-panel.tsx';
import { PermissionsPanel } from './permissions-panel.tsx';
import { TabsPanel } from './tabs-panel.tsx';

export function StatePanels({ browser, record }: { browser: Browser; record: api.Browser }) {
  if (isOver(record))
    return (
      <Empty icon="browsers" title="No state left">
        Tabs, cookies, storage, dialogs and permissions are deleted when a browser is closed.
      </Empty>
    );
  return <CurrentState browser={browser} record={record} />;
}

function CurrentState({ browser, record }: { browser: Browser; record: api.Browser }) {
  const isReady = record.status === 'ready';
  const status = usePart(browser, 'status', (signal) => browser.status({ signal }));
  return (
    <div className="state">
      <TabsPanel browser={browser} isReady={isReady} />
      <Panel title="Cookies">
        <Loaded query={status} label="Loading cookies">
          {(snapshot) => <Cookies {...snapshot} />}
        </Loaded>
      </Panel>
      <DialogsPanel browser={browser} />
      <PermissionsPanel browser={browser} />
      {isReady && <CaptchaPanel browser={browser} />}
    </div>
  );
}

function Cookies({ cookieCount, cookieDomains }: api.BrowserStatusSnapshot) {
  if (cookieCount === 0) return <p className="soft">No cookies.</p>;
  return (
    <>
      <p className="soft">
        {cookieCount} {cookieCount === 1 ? 'cookie' : 'cookies'} of {cookieDomains.length}{' '}
        {cookieDomains.length === 1 ? 'domain' : 'domains'}. Their values are not shown.
      </p>
      <ul className="plain-list">
        {cookieDomains.map((domain) => (
          <li key={domain}>
            <Untrusted text={domain} />
          </li>
        ))}
      </ul>
    </>
  );
}

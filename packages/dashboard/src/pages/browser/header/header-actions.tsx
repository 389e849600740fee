/** Actions on the browser as a whole, by its status. */
import type { api, Browser } from '@browserd/sdk';
import { BrowserActions } from '../../../parts/browser/browser.ts';
import { LinkButton } from '../../../parts/controls/controls.ts';
import { MoreMenu } from './more-menu.tsx';

export function HeaderActions({ browser, record }: { browser: Browser; record: api.Browser }) {
  return (
    <>
      {record.status === 'ready' && (
        <LinkButton to={`/app/script?browser=${record.id}`} icon="script">
          Run a script
        </LinkButton>
      )}
      <BrowserActions browser={browser} record={record} labelled />
      <MoreMenu browser={browser} record={record} />
    </>
  );
}

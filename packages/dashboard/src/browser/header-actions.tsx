import type { api, Browser } from '@browserd/sdk';
import { BrowserActions } from '../browsers/browser-actions.tsx';
import { LinkButton } from '../parts/button.tsx';
import { MoreMenu } from './more-menu.tsx';

/** What can be done to the browser as a whole, by its status. */
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

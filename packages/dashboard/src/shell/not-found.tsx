/** The page for an unknown address. */
import { LinkButton } from '../parts/controls/controls.ts';
import { Empty } from '../parts/notices/notices.ts';
import { Page } from './page.tsx';

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty
        icon="search"
        title="There is no such page"
        action={<LinkButton to="/app/browsers">To the browsers</LinkButton>}
      >
        There’s nothing at this address. The link may be incomplete.
      </Empty>
    </Page>
  );
}

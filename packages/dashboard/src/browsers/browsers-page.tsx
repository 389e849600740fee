import { Page } from '../shell/page.tsx';

export function BrowsersPage() {
  return <Page title="Browsers">{null}</Page>;
}

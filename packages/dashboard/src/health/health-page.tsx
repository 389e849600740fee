import { Page } from '../shell/page.tsx';

export function HealthPage() {
  return <Page title="Health">{null}</Page>;
}

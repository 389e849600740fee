import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Boundary } from './shell/boundary.tsx';
import { lazyPage } from './shell/lazy-page.ts';
import { NotFound } from './shell/not-found.tsx';
import { PageLoading } from './shell/page.tsx';
import { Shell } from './shell/shell.tsx';

const BrowsersPage = lazyPage(async () => (await import('./browsers/browsers-page.tsx')).BrowsersPage);
const BrowserPage = lazyPage(async () => (await import('./browser/browser-page.tsx')).BrowserPage);
const ScriptPage = lazyPage(async () => (await import('./script/script-page.tsx')).ScriptPage);
const QuickPage = lazyPage(async () => (await import('./quick/quick-page.tsx')).QuickPage);
const KeysPage = lazyPage(async () => (await import('./keys/keys-page.tsx')).KeysPage);
const WebhooksPage = lazyPage(async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage);
const HealthPage = lazyPage(async () => (await import('./health/health-page.tsx')).HealthPage);

export function Routes() {
  const [path] = useLocation();
  return (
    <Shell>
      {/* another page is another try */}
      <Boundary key={path}>
        <Suspense fallback={<PageLoading />}>
          <Switch>
            <Route path="/app/browsers" component={BrowsersPage} />
            <Route path="/app/browsers/:id" component={BrowserPage} />
            <Route path="/app/script" component={ScriptPage} />
            <Route path="/app/quick" component={QuickPage} />
            <Route path="/app/keys" component={KeysPage} />
            <Route path="/app/webhooks" component={WebhooksPage} />
            <Route path="/app/health" component={HealthPage} />
            <Route path="/">
              <Redirect to="/app/browsers" replace />
            </Route>
            <Route path="/app">
              <Redirect to="/app/browsers" replace />
            </Route>
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </Boundary>
    </Shell>
  );
}

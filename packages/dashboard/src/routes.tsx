import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { NotFound } from './shell/not-found.tsx';
import { PageLoading } from './shell/page.tsx';
import { Shell } from './shell/shell.tsx';

/** Every page is a file of its own, loaded when it is opened. */
const BrowsersPage = lazy(() =>
  import('./browsers/browsers-page.tsx').then((m) => ({ default: m.BrowsersPage })),
);
const BrowserPage = lazy(() =>
  import('./browser/browser-page.tsx').then((m) => ({ default: m.BrowserPage })),
);
const ScriptPage = lazy(() => import('./script/script-page.tsx').then((m) => ({ default: m.ScriptPage })));
const QuickPage = lazy(() => import('./quick/quick-page.tsx').then((m) => ({ default: m.QuickPage })));
const KeysPage = lazy(() => import('./keys/keys-page.tsx').then((m) => ({ default: m.KeysPage })));
const WebhooksPage = lazy(() =>
  import('./webhooks/webhooks-page.tsx').then((m) => ({ default: m.WebhooksPage })),
);
const HealthPage = lazy(() => import('./health/health-page.tsx').then((m) => ({ default: m.HealthPage })));

export function Routes() {
  return (
    <Shell>
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
    </Shell>
  );
}

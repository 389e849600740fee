/** Which page an address shows. Pages are loaded when they are opened. */
import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import {
  BrowserPage,
  BrowsersPage,
  HealthPage,
  JobPage,
  JobsPage,
  KeysPage,
  NodesPage,
  ProfilesPage,
  QuickPage,
  ScriptPage,
  SecretsPage,
  WebhooksPage,
} from './pages/pages.ts';
import { Boundary, NotFound, PageLoading, Shell } from './shell/shell.tsx';

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
            <Route path="/app/profiles" component={ProfilesPage} />
            <Route path="/app/jobs" component={JobsPage} />
            <Route path="/app/jobs/:id" component={JobPage} />
            <Route path="/app/keys" component={KeysPage} />
            <Route path="/app/secrets" component={SecretsPage} />
            <Route path="/app/webhooks" component={WebhooksPage} />
            <Route path="/app/nodes" component={NodesPage} />
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

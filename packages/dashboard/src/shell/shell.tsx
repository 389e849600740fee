/** The navigation beside the page; on a phone at the bottom of the screen, in reach of the thumb. */
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useWaiting } from '../data/data.ts';
import { Brand } from '../parts/brand.tsx';
import { Button, Icon } from '../parts/controls/controls.ts';
import { useSession, useUp } from '../session/session.ts';
import { places } from './places.ts';
import { ShortcutsDialog, useShortcuts } from './shortcuts.tsx';
import { useTheme } from './theme.ts';

export { Boundary } from './boundary.tsx';
export { lazyPage } from './lazy-page.ts';
export { NotFound } from './not-found.tsx';
export { Page, PageLoading } from './page.tsx';
export { applyTheme } from './theme.ts';

export function Shell({ children }: { children: ReactNode }) {
  const { role, keyHint, connection, signOut } = useSession();
  const up = useUp(connection);
  const { theme, toggle } = useTheme();
  const shortcuts = useShortcuts();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="side">
        <Link href="/app/browsers" className="brand-link">
          <Brand />
        </Link>
        <Navigation />
        <div className="side-foot">
          <a className="docs-link" href="/docs" target="_blank" rel="noreferrer" aria-label="API reference">
            <Icon name="book" />
            <span>API reference</span>
          </a>
          <p className="who">
            <span>{role} key</span>
            <code>{keyHint}</code>
          </p>
          <div className="side-buttons">
            <Button
              kind="quiet"
              icon={theme === 'dark' ? 'sun' : 'moon'}
              aria-label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
              onClick={toggle}
            />
            <Button kind="quiet" icon="keyboard" aria-label="Keyboard shortcuts" onClick={shortcuts.show} />
            <Button kind="quiet" icon="leave" aria-label="Sign out" onClick={signOut} />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <div role="status">
          {!up && (
            <p className="banner">
              <span className="spinner" aria-hidden="true" /> Can’t reach the service. Reconnecting…
            </p>
          )}
        </div>
        {children}
      </main>
      {shortcuts.shown && <ShortcutsDialog onClose={shortcuts.hide} />}
    </div>
  );
}

const browsersPath = '/app/browsers';

function Navigation() {
  const [path] = useLocation();
  const waiting = useWaiting().length;
  return (
    <nav aria-label="Main">
      <ul>
        {places.map((place) => {
          const here = path === place.path || path.startsWith(`${place.path}/`);
          return (
            <li key={place.path}>
              <Link href={place.path} aria-current={here ? 'page' : undefined}>
                <Icon name={place.icon} />
                <span>{place.label}</span>
                {place.path === browsersPath && waiting > 0 && (
                  <span className="nav-count" title="Waiting for you">
                    {waiting}
                    <span className="for-readers"> waiting for you</span>
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

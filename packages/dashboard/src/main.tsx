/**
 * The dashboard, from the outside in:
 *
 *   toasts ── session (a key, or the sign-in page) ── shell (navigation) ── one page per route
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './design/tokens.css';
import './design/base.css';
import './design/controls.css';
import './design/blocks.css';
import './design/tables.css';
import './design/overlays.css';
import './design/shell.css';
import { CopyProvider } from './parts/copy/copy.ts';
import { ToastProvider } from './parts/notices/notices.ts';
import { Routes } from './routes.tsx';
import { SessionProvider } from './session/session.ts';
import { applyTheme, Boundary } from './shell/shell.tsx';

applyTheme();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Boundary>
      <ToastProvider>
        <SessionProvider>
          <CopyProvider>
            <Routes />
          </CopyProvider>
        </SessionProvider>
      </ToastProvider>
    </Boundary>
  </StrictMode>,
);

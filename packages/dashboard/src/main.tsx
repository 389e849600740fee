import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './design/tokens.css';
import './design/base.css';
import './design/controls.css';
import './design/blocks.css';
import './design/tables.css';
import './design/overlays.css';
import './design/shell.css';
import { CopyProvider } from './parts/copy.tsx';
import { ToastProvider } from './parts/toast.tsx';
import { Routes } from './routes.tsx';
import { SessionProvider } from './session.tsx';
import { Boundary } from './shell/boundary.tsx';
import { applyTheme } from './shell/theme.ts';

/**
 *   toasts ── session (a key, or the sign-in page) ── shell (navigation) ── one page per route
 */
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

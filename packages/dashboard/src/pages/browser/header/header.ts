/** The header of the page: what the browser is, and what can be done to it. */
export { BrowserLead } from './browser-lead.tsx';
export { HeaderActions } from './header-actions.tsx';
export { StatusNote } from './status-note.tsx';

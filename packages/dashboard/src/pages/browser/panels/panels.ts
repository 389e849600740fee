/** Panels of the page: what a browser has, and what happened in it. */
export { ConsolePanel } from './console-panel.tsx';
export { DeleteButton } from './delete-button.tsx';
export { DialogsBar } from './dialogs-bar.tsx';
export { DownloadsPanel } from './downloads-panel.tsx';
export { FilesPanel } from './files-panel.tsx';
export { NetworkPanel } from './network-panel.tsx';
export { PolicyPanel } from './policy-panel.tsx';
export { RulesPanel } from './rules-panel.tsx';
export { StatePanels } from './state-panels.tsx';

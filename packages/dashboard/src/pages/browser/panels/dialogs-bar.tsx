/** Open dialogs above the viewer, because they block the page. */
import type { Browser } from '@browserd/sdk';
import { DialogAnswer } from './dialog-answer.tsx';
import { useDialogs } from './use-dialogs.ts';

export function DialogsBar({ browser }: { browser: Browser }) {
  const open = useDialogs(browser).data?.filter(({ state }) => state === 'open') ?? [];
  return open.map((dialog) => <DialogAnswer key={dialog.id} browser={browser} dialog={dialog} />);
}

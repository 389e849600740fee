/** Rarely used actions on a browser. Addresses that grant access are created only when they are chosen. */
import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { refresh } from '../../../data/data.ts';
import { isOver } from '../../../parts/browser/browser.ts';
import { Button, Icon } from '../../../parts/controls/controls.ts';
import { asCurl, useCopy } from '../../../parts/copy/copy.ts';
import { useToast } from '../../../parts/notices/notices.ts';
import { useClient } from '../../../session/session.ts';
import { openViewerWindow } from '../../../view/view.ts';

const hourMs = 3_600_000;

/** Returns the message for the person, if there is one. */
type Work = () => Promise<string | undefined>;

export function MoreMenu({ browser, record }: { browser: Browser; record: api.Browser }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const copyOut = useCopy();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => closeOutside(menu.current), []);
  const act = useMutation({
    mutationFn: (work: Work) => work(),
    onSuccess: (message) => message && toast.say(message),
    onError: toast.error,
    onSettled: () => refresh(queries, browser.id, ['record']),
  });
  const copy = async (text: string, what: string): Promise<string | undefined> =>
    (await copyOut(text, what)) ? `Copied the ${what}.` : undefined;
  const curl = asCurl(client.baseUrl, 'POST', `/v1/browsers/${browser.id}/script/execute`, {
    code: 'return page.title()',
  });
  const entries: readonly [label: string, work: Work, needsLife?: true][] = [
    ['Open live view in a new window', () => openViewerWindow(browser), true],
    [
      'Extend by an hour',
      async () => {
        await browser.update({ maxDuration: record.maxDuration + hourMs });
        return 'Extended by an hour.';
      },
      true,
    ],
    ['Copy ID', () => copy(browser.id, 'ID')],
    ['Copy temporary CDP address', async () => copy(await browser.playwright(), 'CDP address'), true],
    ['Copy as curl', () => copy(curl, 'curl command')],
  ];
  return (
    <details className="menu" ref={menu}>
      <summary className="button plain bare" aria-label="More actions" title="More actions">
        <Icon name="more" />
      </summary>
      <div className="menu-items">
        {entries
          .filter(([, , needsLife]) => !needsLife || !isOver(record))
          .map(([label, work]) => (
            <Button
              key={label}
              kind="quiet"
              disabled={act.isPending}
              onClick={() => {
                menu.current?.removeAttribute('open');
                act.mutate(work);
              }}
            >
              {label}
            </Button>
          ))}
      </div>
    </details>
  );
}

/** A click elsewhere or Escape closes the menu. Returns a function that removes the listeners. */
function closeOutside(menu: HTMLDetailsElement | null): () => void {
  const close = (event: Event): void => {
    if (!menu?.open) return;
    const isEscape = (event as KeyboardEvent).key === 'Escape';
    if (event.type === 'pointerdown' ? menu.contains(event.target as Node) : !isEscape) return;
    menu.open = false;
    if (isEscape) menu.querySelector('summary')?.focus();
  };
  document.addEventListener('pointerdown', close);
  document.addEventListener('keydown', close);
  return () => {
    document.removeEventListener('pointerdown', close);
    document.removeEventListener('keydown', close);
  };
}

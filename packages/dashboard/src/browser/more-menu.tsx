import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Button } from '../parts/button.tsx';
import { useCopy } from '../parts/copy.tsx';
import { Icon } from '../parts/icon.tsx';
import { useToast } from '../parts/toast.tsx';
import { asCurl } from '../script/as-code.ts';
import { useClient } from '../session.tsx';
import { refresh } from './browser-queries.ts';
import { isOver } from './life.ts';
import { openLiveWindow } from './live/live-window.ts';

const hourMs = 3_600_000;

/** Gives what to say when it is done, if anything. */
type Work = () => Promise<string | undefined>;

/** What is wanted now and then. Addresses that open the browser are made when they are asked for. */
export function MoreMenu({ browser, record }: { browser: Browser; record: api.Browser }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const copyOut = useCopy();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => closeOutside(menu.current), []);
  const act = useMutation({
    mutationFn: (work: Work) => work(),
    onSuccess: (news) => news && toast.say(news),
    onError: toast.error,
    onSettled: () => refresh(queries, browser.id, ['record']),
  });
  const copy = async (text: string, what: string): Promise<string | undefined> =>
    (await copyOut(text, what)) ? `The ${what} is copied` : undefined;
  const curl = asCurl(client.baseUrl, 'POST', `/v1/browsers/${browser.id}/script/execute`, {
    code: 'return page.title()',
  });
  const entries: readonly [label: string, work: Work, needsLife?: true][] = [
    ['Open the live view in a window', () => openLiveWindow(browser), true],
    [
      'Keep it an hour longer',
      async () => {
        await browser.update({ maxDuration: record.maxDuration + hourMs });
        return 'It closes an hour later now';
      },
      true,
    ],
    ['Copy its id', () => copy(browser.id, 'id')],
    [
      'Copy a CDP address (good for a while)',
      async () => copy(await browser.playwright(), 'CDP address'),
      true,
    ],
    ['Copy a curl command', () => copy(curl, 'curl command')],
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

/** A click elsewhere or Escape closes it. Gives its off switch. */
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

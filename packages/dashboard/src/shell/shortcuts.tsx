/** Keyboard shortcuts: `?` lists them, `g` and a letter opens a page, `/` searches. They are off in text fields. */
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/dialogs/dialogs.ts';
import { places } from './places.ts';

const togetherMs = 1000;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT', 'IFRAME'].includes(target.tagName));

export function useShortcuts(): { shown: boolean; show(): void; hide(): void } {
  const [shown, setShown] = useState(false);
  const [, navigate] = useLocation();
  const wentAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      const place = places.find(({ letter }) => letter === event.key);
      if (event.key === '?') setShown(true);
      else if (event.key === 'g') wentAt.current = event.timeStamp;
      else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('input[type=search]');
        if (search) event.preventDefault();
        search?.focus();
      } else if (place && event.timeStamp - wentAt.current < togetherMs) navigate(place.path);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate]);
  return { shown, show: () => setShown(true), hide: () => setShown(false) };
}

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {places.map(({ label, letter }) => (
          <div key={letter}>
            <dt>
              <kbd>g</kbd> <kbd>{letter}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>Search</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>Show shortcuts</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Close dialog or menu</dd>
        </div>
      </dl>
    </Dialog>
  );
}

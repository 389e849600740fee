/**
 * The modal dialog of the web browser: it traps the focus and closes on Escape. It is shown while it is rendered, at the
 * end of the body, so that it looks the same wherever it is used. The focus goes back to what opened it, or to
 * what stands in its place: Resume after Stop, the page after a row that was deleted.
 */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../controls/controls.ts';
import { ErrorNote } from '../notices/notices.ts';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** Buttons at the foot. */
  footer?: ReactNode;
  wide?: boolean;
  /** It cannot be closed, such as while something is sent. */
  locked?: boolean;
}

/** How long what a dialog did may take to show in the page. */
const keptMs = 10_000;

/** Without this the focus would go to the close button in the corner. */
const firstToUse = '.dialog-body :is(input, select, textarea, button), .dialog-foot button';

export function Dialog({ title, onClose, children, footer, wide, locked }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // a layout effect is undone while the dialog is still in the page: one that was removed cannot give the focus back
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    const group = opener?.parentElement ?? null;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>(firstToUse)?.focus();
    return () => {
      dialog?.close();
      giveFocus(opener, group);
      keepFocus(opener, group);
    };
  }, []);
  return createPortal(
    <dialog
      ref={element}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        if (event.target !== element.current) return;
        event.preventDefault();
        if (!locked) onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" icon="close" aria-label="Close" onClick={onClose} disabled={locked} />
      </header>
      <div className="dialog-body">{children}</div>
      {footer && <footer className="dialog-foot">{footer}</footer>}
    </dialog>,
    document.body,
  );
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** To what opened the dialog; if that is gone or disabled, to what stands in its place; else to the page. */
function giveFocus(opener: Element | null, group: Element | null): void {
  const places = [
    opener,
    group !== document.body && group?.querySelector('button:enabled'),
    document.querySelector('main'),
  ];
  for (const place of places)
    if (isLost() && place instanceof HTMLElement && place.isConnected) place.focus();
}

/** What opened it may be removed with the dialog, or a moment later, when the service says that it is gone. */
function keepFocus(opener: Element | null, group: Element | null): void {
  let holder = document.activeElement;
  const look = (): void => {
    // Resume comes a moment after Stop has gone; until then another button of the group stands in for it.
    const first = opener?.isConnected ? null : group?.querySelector<HTMLElement>('button:enabled');
    if (first && holder === document.activeElement && group?.contains(holder)) first.focus();
    else if (holder?.isConnected && holder !== document.body) return;
    giveFocus(opener, group);
    holder = document.activeElement;
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  queueMicrotask(look);
  setTimeout(() => observer.disconnect(), keptMs);
}

interface ConfirmProps {
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** The verb on the button: "Close browser", not "OK". */
  action: string;
  kind?: 'danger' | 'primary';
  busy: boolean;
  error?: unknown;
  onConfirm(): void;
  onClose(): void;
}

export function Confirm(props: ConfirmProps) {
  const { title, children, action, kind = 'danger', busy, error, onConfirm, onClose } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      locked={busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button kind={kind} busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {error !== undefined && error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}

/** Short messages in the corner: read out by screen readers, removed after a while or by their button. */
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button, Icon } from '../controls/controls.ts';
import { errorText } from './error-note.tsx';

interface Toasts {
  say(text: string): void;
  warn(text: string): void;
  error(error: unknown): void;
}
interface Shown {
  id: number;
  kind: 'good' | 'warning' | 'error';
  text: string;
  code?: string;
}

const Context = createContext<Toasts | undefined>(undefined);
export const useToast = (): Toasts => {
  const toasts = use(Context);
  if (!toasts) throw new Error('useToast is for what stands inside ToastProvider');
  return toasts;
};

const most = 4;
const lifeMs = { good: 4000, warning: 8000, error: 12_000 };

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const next = useRef(0);
  const corner = useRef<HTMLDivElement>(null);
  // shown again with each toast, so that it lies above a dialog that was opened meanwhile
  useEffect(() => {
    corner.current?.hidePopover();
    if (shown.length > 0) corner.current?.showPopover();
  }, [shown]);
  const remove = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), []);
  const add = useCallback(
    (toast: Omit<Shown, 'id'>) => {
      const id = next.current++;
      setShown((all) => [...all, { id, ...toast }].slice(-most));
      setTimeout(() => remove(id), lifeMs[toast.kind]);
    },
    [remove],
  );
  const toasts = useMemo<Toasts>(
    () => ({
      say: (text) => add({ kind: 'good', text }),
      warn: (text) => add({ kind: 'warning', text }),
      error: (error) => {
        const { message, code } = errorText(error);
        add({ kind: 'error', text: message, code });
      },
    }),
    [add],
  );
  return (
    <Context value={toasts}>
      {children}
      <div className="toasts" aria-live="polite" popover="manual" ref={corner}>
        {shown.map(({ id, kind, text, code }) => (
          <div key={id} className={`toast ${kind}`}>
            <Icon name={kind === 'good' ? 'check' : 'warning'} />
            <p>
              <bdi>{text}</bdi> {code && <code>{code}</code>}
            </p>
            <Button kind="quiet" small icon="close" aria-label="Dismiss" onClick={() => remove(id)} />
          </div>
        ))}
      </div>
    </Context>
  );
}

/** The frame of every page: its title at the top and in the tab, where it says too that a person is waited for. */
import { type ReactNode, useEffect } from 'react';
import { useWaiting } from '../data/data.ts';
import { Skeleton } from '../parts/notices/notices.ts';

interface PageProps {
  title: string;
  /** One line under the title. */
  lead?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, lead, actions, children }: PageProps) {
  const waiting = useWaiting().length;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting} waiting) ` : ''}${title} · browserd`;
  }, [title, waiting]);
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1 title={title}>
            <bdi>{title}</bdi>
          </h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function PageLoading() {
  return (
    <div className="page">
      <Skeleton rows={4} label="Loading the page" />
    </div>
  );
}

/** The frame of every page: its title in the tab and at the top, and its actions. */
import { type ReactNode, useEffect } from 'react';
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
  useEffect(() => {
    document.title = `${title} · browserd`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1>
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

/** A box with a title. */
import type { ReactNode } from 'react';

export function Panel(props: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel" aria-label={props.title}>
      <header className="panel-head">
        <h2>{props.title}</h2>
        {props.aside}
      </header>
      <div className="panel-body">{props.children}</div>
    </section>
  );
}

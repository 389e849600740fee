import type { api } from '@browserd/sdk';
import { Link } from 'wouter';

const views = {
  live: 'Live',
  replay: 'Replay',
  files: 'Files',
  downloads: 'Downloads',
  console: 'Console',
  network: 'Network',
  policy: 'Policy',
  state: 'State',
} as const;

export type View = keyof typeof views;

export const isView = (name: string | null): name is View => name !== null && Object.hasOwn(views, name);

/** What a view is about, for the number beside its name. */
const counted: Partial<Record<View, api.EventType>> = { console: 'console.error', network: 'policy.blocked' };

export function ViewLinks(props: { id: string; view: View; events: readonly api.Event[] }) {
  const { id, view, events } = props;
  return (
    <nav className="views" aria-label="Views of this browser">
      {(Object.keys(views) as View[]).map((name) => {
        const count = counted[name] && events.filter(({ type }) => type === counted[name]).length;
        return (
          <Link
            key={name}
            href={`/app/browsers/${id}?view=${name}`}
            aria-current={name === view ? 'page' : undefined}
          >
            {views[name]}
            {count ? <span className="views-count">{count}</span> : null}
          </Link>
        );
      })}
    </nav>
  );
}

/** The sections of the page, as links: the address of the page names the section. */
import type { api } from '@browserd/sdk';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';

const sections = {
  live: 'Live',
  replay: 'Replay',
  files: 'Files',
  downloads: 'Downloads',
  console: 'Console',
  network: 'Network',
  policy: 'Policy',
  state: 'State',
} as const;

export type Section = keyof typeof sections;

export const isSection = (name: string | null): name is Section =>
  name !== null && Object.hasOwn(sections, name);

/** The events that are counted beside the name of a section. */
const counted: Partial<Record<Section, api.EventType>> = {
  console: 'console.error',
  network: 'policy.blocked',
};

export function SectionLinks(props: { id: string; section: Section; events: readonly api.Event[] }) {
  const { id, section, events } = props;
  const links = useRef<HTMLElement>(null);
  // on a phone not all of them fit
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section is another place
  useEffect(() => {
    links.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [section]);
  return (
    <nav className="views" ref={links} aria-label="Views of this browser">
      {(Object.keys(sections) as Section[]).map((name) => {
        const count = counted[name] && events.filter(({ type }) => type === counted[name]).length;
        return (
          <Link
            key={name}
            href={`/app/browsers/${id}?view=${name}`}
            aria-current={name === section ? 'page' : undefined}
          >
            {sections[name]}
            {count ? <span className="views-count">{count}</span> : null}
          </Link>
        );
      })}
    </nav>
  );
}

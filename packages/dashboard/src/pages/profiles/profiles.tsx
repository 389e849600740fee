/** The saved profiles of the project: whose sign-ins they hold, which browser saves into them, and how to renew one. */
import type { api } from '@browserd/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ListedItems, queryKeys, useListed, useProjectEvents } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { CopyButton } from '../../parts/copy/copy.ts';
import { Badge, Empty, type Tone } from '../../parts/notices/notices.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { asWords, size, Time, Untrusted } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';
import { Page } from '../../shell/shell.tsx';
import { CreateProfileDialog } from './create-profile-dialog.tsx';
import { DeleteProfileDialog } from './delete-profile-dialog.tsx';
import { ProfileVersions } from './profile-versions.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';

const tones: Record<NonNullable<api.Profile['health']>['state'], Tone> = {
  signed_in: 'good',
  signed_out: 'bad',
  unknown: 'warning',
};
const mostSites = 3;

const facts: readonly Column<api.Profile>[] = [
  { head: 'Name', grows: true, narrow: true, cell: (profile) => <Untrusted text={nameOf(profile)} /> },
  { head: 'Sites', narrow: true, cell: ({ cookieDomains }) => <Sites domains={cookieDomains} /> },
  {
    head: 'Sign-in',
    cell: ({ health }) =>
      health ? (
        <Badge tone={tones[health.state]}>{asWords(health.state)}</Badge>
      ) : (
        <span className="faint">not checked</span>
      ),
  },
  {
    head: 'Held by',
    cell: ({ writer }) =>
      writer ? <Link href={`/app/browsers/${writer}`}>a browser</Link> : <span className="faint">none</span>,
  },
  { head: 'Size', end: true, cell: ({ size: bytes }) => size(bytes) },
  {
    head: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="faint">never</span>),
  },
];

export const nameOf = ({ name, id }: api.Profile): string => name ?? id;

function Sites({ domains }: { domains: readonly string[] }) {
  if (domains.length === 0) return <span className="faint">none</span>;
  const more = domains.length - mostSites;
  return <Untrusted text={domains.slice(0, mostSites).join(', ') + (more > 0 ? ` and ${more} more` : '')} />;
}

export function ProfilesPage() {
  const [creating, setCreating] = useState(false);
  const [signingIn, setSigningIn] = useState<api.Profile>();
  return (
    <Page
      title="Profiles"
      lead="Saved sign-ins. A browser that starts with a profile is signed in wherever the profile is."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
          New profile
        </Button>
      }
    >
      <ProfileTable onSignIn={setSigningIn} />
      {creating && (
        <CreateProfileDialog
          onClose={() => setCreating(false)}
          onCreated={(profile) => {
            setCreating(false);
            setSigningIn(profile);
          }}
        />
      )}
      {signingIn && <SignInDialog profile={signingIn} onClose={() => setSigningIn(undefined)} />}
    </Page>
  );
}

function ProfileTable({ onSignIn }: { onSignIn(profile: api.Profile): void }) {
  const client = useClient();
  const queries = useQueryClient();
  const [opened, setOpened] = useState<string>();
  const [deleting, setDeleting] = useState<api.Profile>();
  const list = useListed(queryKeys.profiles, (signal) => client.profiles.list({ limit: 50 }, { signal }));
  const reload = () => void queries.invalidateQueries({ queryKey: queryKeys.profiles });
  useProjectEvents(['profile.*', 'browser.created', 'browser.closed'], { onEvent: reload, onGap: reload });
  const columns: readonly Column<api.Profile>[] = [
    ...facts,
    {
      head: 'Actions',
      end: true,
      cell: (profile) => (
        <div>
          <Button
            small
            icon="person"
            disabled={profile.writer !== undefined}
            onClick={() => onSignIn(profile)}
          >
            Sign in now
          </Button>
          <Button
            small
            kind="quiet"
            icon="clock"
            aria-label={`Versions of ${nameOf(profile)}`}
            aria-expanded={opened === profile.id}
            onClick={() => setOpened(opened === profile.id ? undefined : profile.id)}
          />
          <CopyButton text={profile.id} what="ID" />
          <Button
            small
            kind="quiet"
            icon="bin"
            aria-label={`Delete ${nameOf(profile)}`}
            onClick={() => setDeleting(profile)}
          />
        </div>
      ),
    },
  ];
  return (
    <>
      <ListedItems
        list={list}
        empty={
          <Empty icon="person" title="No profiles">
            Make one, sign in once by hand, and every browser that starts with it is signed in.
          </Empty>
        }
      >
        {(profiles) => (
          <div className="panel">
            <Table
              label="Profiles"
              columns={columns}
              rows={profiles}
              keyOf={({ id }) => id}
              detail={(profile) => opened === profile.id && <ProfileVersions profile={profile} />}
            />
          </div>
        )}
      </ListedItems>
      {deleting && <DeleteProfileDialog profile={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

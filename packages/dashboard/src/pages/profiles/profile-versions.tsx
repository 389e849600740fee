/** The versions of a profile that are kept; an earlier one can be made the newest again. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ListedItems, queryKeys, useListed } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { ErrorNote, useToast } from '../../parts/notices/notices.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { size, Time } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';

const sources: Record<api.ProfileVersion['source'], string> = {
  browser: 'a browser',
  checkpoint: 'a running browser',
  import: 'an import',
  restore: 'an earlier version',
};

export function ProfileVersions({ profile }: { profile: api.Profile }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const key = [...queryKeys.profiles, profile.id, 'versions'];
  const list = useListed(key, (signal) => client.profiles.versions(profile.id, { signal }));
  const restore = useMutation({
    mutationFn: (version: number) => client.profiles.restore(profile.id, version),
    onSuccess: async ({ version }) => {
      await queries.invalidateQueries({ queryKey: queryKeys.profiles });
      toast.say(`Restored as version ${version}.`);
    },
  });
  const columns: readonly Column<api.ProfileVersion>[] = [
    { head: 'Version', cell: ({ version }) => String(version) },
    { head: 'Saved', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: 'From', grows: true, cell: ({ source }) => sources[source] },
    { head: 'Cookies', end: true, cell: ({ cookieCount }) => String(cookieCount) },
    { head: 'Size', end: true, cell: ({ size: bytes }) => size(bytes) },
    {
      head: 'Actions',
      end: true,
      cell: ({ version }) =>
        version !== profile.version && (
          <Button
            small
            busy={restore.isPending && restore.variables === version}
            disabled={profile.writer !== undefined}
            onClick={() => restore.mutate(version)}
          >
            Restore
          </Button>
        ),
    },
  ];
  return (
    <>
      {restore.error && <ErrorNote error={restore.error} />}
      <ListedItems list={list} empty={<p className="faint">Nothing has been saved yet.</p>}>
        {(versions) => (
          <Table
            label={`Versions of ${profile.name ?? profile.id}`}
            columns={columns}
            rows={versions}
            keyOf={({ version }) => String(version)}
          />
        )}
      </ListedItems>
    </>
  );
}

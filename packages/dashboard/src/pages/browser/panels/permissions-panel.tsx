/** Permissions that were set for pages, and the button to clear them. */
import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Loaded, refresh, usePart } from '../../../data/data.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { useToast } from '../../../parts/notices/notices.ts';
import { Panel } from '../../../parts/panel.tsx';
import { Untrusted } from '../../../parts/text/text.ts';

export function PermissionsPanel({ browser }: { browser: Browser }) {
  const query = usePart(browser, 'permissions', (signal) => browser.permissions.get({ signal }));
  const queries = useQueryClient();
  const toast = useToast();
  const clear = useMutation({
    mutationFn: () => browser.permissions.clear(),
    onError: toast.error,
    onSettled: () => refresh(queries, browser.id, ['permissions']),
  });
  const rows = query.data ? rowsOf(query.data) : [];
  return (
    <Panel
      title="Permissions"
      aside={
        rows.length > 0 && (
          <Button small busy={clear.isPending} onClick={() => clear.mutate()}>
            Clear all
          </Button>
        )
      }
    >
      <Loaded query={query} label="Loading permissions">
        {() =>
          rows.length === 0 ? (
            <p className="soft">No permissions set. Chromium’s defaults apply.</p>
          ) : (
            <ul className="plain-list">
              {rows.map(({ origin, name, state }) => (
                <li key={`${origin} ${name}`} className="counted">
                  <span>
                    {name}: <b>{state}</b>
                  </span>
                  <Untrusted text={origin ?? 'all origins'} className="faint" />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

interface Row {
  origin?: string;
  name: string;
  state: api.PermissionState;
}

const rowsOf = ({ permissions, origins }: api.Permissions): Row[] => [
  ...Object.entries(permissions).map(([name, state]) => ({ name, state })),
  ...Object.entries(origins).flatMap(([origin, own]) =>
    Object.entries(own).map(([name, state]) => ({ origin, name, state })),
  ),
];

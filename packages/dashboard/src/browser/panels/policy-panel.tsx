import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { TextArea } from '../../parts/field.tsx';
import { issuesOf } from '../../parts/issues.ts';
import { useToast } from '../../parts/toast.tsx';
import { jsonTrouble } from '../../script/json-trouble.ts';
import { refresh } from '../browser-queries.ts';
import { isOver } from '../life.ts';
import { Panel } from './panel.tsx';

const written = (policy: api.Policy): string => JSON.stringify(policy, undefined, 2);

/** The policy as the service has it. It is checked by the service, which names every field it does not like. */
export function PolicyPanel({ browser, record }: { browser: Browser; record: api.Browser }) {
  const queries = useQueryClient();
  const toast = useToast();
  const [draft, setDraft] = useState<string>();
  const hasEnded = isOver(record);
  const text = draft ?? written(record.policy);
  const broken = jsonTrouble(text);
  const save = useMutation({
    mutationFn: () => browser.update({ policy: JSON.parse(text) as api.Policy }),
    onSuccess: () => {
      setDraft(undefined);
      toast.say('Saved; it holds from now on.');
      refresh(queries, browser.id, ['record']);
    },
  });
  return (
    <Panel title="Policy">
      <div className="form">
        <TextArea
          label="Where the browser may go, and what it may load and take"
          hint="allowedDomains, blockedDomains, allowedOrigins, blockedOrigins, privateAccess, downloads, uploads. Blocked beats allowed; nothing private is reachable unless it is named."
          error={broken}
          className="mono"
          rows={Math.min(Math.max(text.split('\n').length + 1, 8), 30)}
          value={text}
          readOnly={hasEnded}
          onValue={setDraft}
        />
        {save.error && (
          <>
            <ErrorNote error={save.error} />
            <Issues error={save.error} />
          </>
        )}
        {hasEnded ? (
          <p className="soft">The browser is {record.status}; its policy can no longer be changed.</p>
        ) : (
          <div className="row">
            <Button
              kind="primary"
              busy={save.isPending}
              disabled={draft === undefined || broken !== undefined}
              onClick={() => save.mutate()}
            >
              Save policy
            </Button>
            <Button disabled={draft === undefined || save.isPending} onClick={() => setDraft(undefined)}>
              Discard changes
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}

/** Which fields the service does not like, and why; a single one is told by the error itself. */
function Issues({ error }: { error: unknown }) {
  const issues = issuesOf(error);
  if (issues.length < 2) return null;
  return (
    <ul className="issues">
      {issues.map(({ path, reason }) => (
        <li key={`${path} ${reason}`}>
          <code>{path}</code> {reason}
        </li>
      ))}
    </ul>
  );
}

/** The policy as JSON, to read and to edit. The service checks it and names every field that is wrong. */
import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refresh } from '../../../data/data.ts';
import { isOver } from '../../../parts/browser/browser.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { issuesOf, jsonTrouble, TextArea } from '../../../parts/forms/forms.ts';
import { ErrorNote, useToast } from '../../../parts/notices/notices.ts';
import { Panel } from '../../../parts/panel.tsx';

const policyText = (policy: api.Policy): string => JSON.stringify(policy, undefined, 2);

export function PolicyPanel({ browser, record }: { browser: Browser; record: api.Browser }) {
  const queries = useQueryClient();
  const toast = useToast();
  const [draft, setDraft] = useState<string>();
  const hasEnded = isOver(record);
  const text = draft ?? policyText(record.policy);
  const broken = jsonTrouble(text);
  const save = useMutation({
    mutationFn: () => browser.update({ policy: JSON.parse(text) as api.Policy }),
    onSuccess: () => {
      setDraft(undefined);
      toast.say('Policy saved. It applies right away.');
      refresh(queries, browser.id, ['record']);
    },
  });
  return (
    <Panel title="Policy">
      <div className="form">
        <TextArea
          label="What the browser may reach, download and upload (JSON)"
          hint="allowedDomains, blockedDomains, allowedOrigins, blockedOrigins, privateAccess, downloads, uploads, rules, lists. Blocking wins over allowing. Private addresses are out of reach unless listed here."
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

/** The fields that are wrong, and why; for a single field the error message is enough. */
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

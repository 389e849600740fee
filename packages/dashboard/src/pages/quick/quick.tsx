/** Quick actions: one page, one answer; the browser for it exists during the call only. */
import { type FormEvent, useState } from 'react';
import { Button, ChoiceChips } from '../../parts/controls/controls.ts';
import { Empty, ErrorNote, Skeleton } from '../../parts/notices/notices.ts';
import { Page } from '../../shell/shell.tsx';
import { CommonFields, MoreFields } from './common-fields.tsx';
import { CopyQuick } from './copy-quick.tsx';
import '../../design/browser.css';
import '../../design/panels.css';
import './quick.css';
import { OptionFields } from './option-fields.tsx';
import { Preview } from './preview.tsx';
import { type Action, emptyQuick, type QuickForm, troublesOf } from './quick-request.ts';
import { useQuick } from './use-quick.ts';

const actions: Record<Action, string> = { scrape: 'Scrape', screenshot: 'Screenshot', pdf: 'PDF' };

export function QuickPage() {
  const [form, setForm] = useState<QuickForm>(emptyQuick);
  const quick = useQuick();
  const change = (part: Partial<QuickForm>): void => setForm((before) => ({ ...before, ...part }));
  const troubles = troublesOf(form);
  const isRunnable = Object.keys(troubles).length === 0;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isRunnable && !quick.isPending) quick.mutate(form);
  };
  return (
    <Page
      title="Quick actions"
      lead="Get the text, a screenshot or a PDF of a single page. The browser is discarded afterwards."
    >
      <div className="quick-columns">
        <form className="panel" aria-label="Quick action" onSubmit={onSubmit}>
          <div className="panel-body form">
            <ChoiceChips
              className="quick-actions"
              legend="Action"
              choices={actions}
              value={form.action}
              onValue={(action) => change({ action })}
            />
            <CommonFields form={form} onChange={change} />
            <OptionFields form={form} onChange={change} />
            <MoreFields form={form} onChange={change} error={troubles.more} />
            <div className="row">
              {quick.isPending ? (
                <Button kind="danger" icon="stop" onClick={quick.abort}>
                  Cancel
                </Button>
              ) : (
                <Button type="submit" kind="primary" icon="quick" disabled={!isRunnable}>
                  {actions[form.action]}
                </Button>
              )}
              {isRunnable && <CopyQuick form={form} />}
            </div>
          </div>
        </form>
        <section className="quick-preview" aria-label="Preview" aria-busy={quick.isPending}>
          {quick.isPending && <Skeleton rows={6} label="Working on it" />}
          {quick.error && !quick.isPending && <ErrorNote error={quick.error} />}
          {quick.data && !quick.isPending && <Preview made={quick.data} />}
          {quick.isIdle && (
            <Empty icon="quick" title="Nothing yet">
              The result shows up here.
            </Empty>
          )}
        </section>
      </div>
    </Page>
  );
}

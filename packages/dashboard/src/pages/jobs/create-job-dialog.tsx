/** The dialog for a new job. Errors of the service appear at the fields that they are about. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryKeys } from '../../data/data.ts';
import { ChoiceChips } from '../../parts/controls/controls.ts';
import { FormDialog } from '../../parts/dialogs/dialogs.ts';
import { issuesOf, Select, sortIssues, TextArea, TextField } from '../../parts/forms/forms.ts';
import { ErrorNote, useToast } from '../../parts/notices/notices.ts';
import { useClient } from '../../session/session.ts';
import {
  emptyJob,
  isIncomplete,
  type JobForm,
  jobOf,
  type Kind,
  linesOf,
  optionsTrouble,
} from './job-form.ts';

interface Props {
  onClose(): void;
  onCreated(job: api.Job): void;
}

const kinds: Record<Kind, string> = { crawl: 'Crawl a site', batch: 'A list of pages', map: 'Map addresses' };
const names = [
  'url',
  'items',
  'name',
  'maxPages',
  'maxDepth',
  'include',
  'exclude',
  'concurrency',
  'options',
];

export function CreateJobDialog({ onClose, onCreated }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const element = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState(emptyJob);
  const create = useMutation({
    mutationFn: () => client.jobs.create(jobOf(form)),
    onSuccess: (job) => {
      toast.say('Job started.');
      void queries.invalidateQueries({ queryKey: queryKeys.jobs });
      onCreated(job);
    },
  });
  const { at, rest } = sortIssues(issuesOf(create.error), names);
  const isPlaced = Object.keys(at).length > 0 && rest.length === 0;
  useEffect(() => {
    if (create.isError) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [create.isError]);
  const options = optionsTrouble(form.options);
  const fields = { form, errors: { ...at, ...(options && { options }) }, onChange: change };
  function change(part: Partial<JobForm>): void {
    setForm({ ...form, ...part });
  }
  return (
    <FormDialog
      title="New job"
      action="Start job"
      busy={create.isPending}
      incomplete={isIncomplete(form) || options !== undefined}
      wide
      noValidate
      formRef={element}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <ChoiceChips legend="Kind" choices={kinds} value={form.kind} onValue={(kind) => change({ kind })} />
      {form.kind === 'batch' ? <BatchFields {...fields} /> : <SiteFields {...fields} />}
      <MoreFields {...fields} />
      {create.isError && !isPlaced && <ErrorNote error={create.error} />}
    </FormDialog>
  );
}

interface FieldsProps {
  form: JobForm;
  errors: Record<string, string>;
  onChange(part: Partial<JobForm>): void;
}

function ActionField({ form, onChange }: FieldsProps) {
  return (
    <Select
      label="Each page becomes"
      value={form.action}
      choices={[
        { value: 'scrape', label: 'Text (Markdown)' },
        { value: 'screenshot', label: 'A screenshot' },
        { value: 'pdf', label: 'A PDF' },
      ]}
      onValue={(action) => onChange({ action })}
    />
  );
}

function BatchFields(props: FieldsProps) {
  const { form, errors, onChange } = props;
  const count = linesOf(form.addresses).length;
  return (
    <>
      <TextArea
        label="Addresses"
        className="mono"
        rows={8}
        placeholder={'https://example.com/one\nhttps://example.com/two'}
        hint={count === 0 ? 'One a line, 10,000 at most.' : `${count.toLocaleString()} of 10,000 at most.`}
        error={errors.items}
        value={form.addresses}
        onValue={(addresses) => onChange({ addresses })}
      />
      <ActionField {...props} />
    </>
  );
}

function SiteFields(props: FieldsProps) {
  const { form, errors, onChange } = props;
  return (
    <>
      <TextField
        label="Where to begin"
        inputMode="url"
        placeholder="https://example.com/docs"
        error={errors.url}
        value={form.url}
        onValue={(url) => onChange({ url })}
      />
      <div className="form-pair">
        <TextField
          label="Pages at most"
          optional
          type="number"
          min={1}
          placeholder={form.kind === 'map' ? '5000' : '100'}
          error={errors.maxPages}
          value={form.maxPages}
          onValue={(maxPages) => onChange({ maxPages })}
        />
        {form.kind === 'crawl' ? (
          <ActionField {...props} />
        ) : (
          <TextField
            label="Depth at most"
            optional
            type="number"
            min={0}
            placeholder="5"
            error={errors.maxDepth}
            value={form.maxDepth}
            onValue={(maxDepth) => onChange({ maxDepth })}
          />
        )}
      </div>
      <div className="form-pair">
        <TextArea
          label="Only addresses like"
          optional
          className="mono"
          rows={2}
          placeholder="/docs/*"
          error={errors.include}
          value={form.include}
          onValue={(include) => onChange({ include })}
        />
        <TextArea
          label="Leave out"
          optional
          className="mono"
          rows={2}
          placeholder="/docs/old/*"
          error={errors.exclude}
          value={form.exclude}
          onValue={(exclude) => onChange({ exclude })}
        />
      </div>
    </>
  );
}

/** Opens by itself when a field in it is wrong. */
function MoreFields({ form, errors, onChange }: FieldsProps) {
  const [open, setOpen] = useState(false);
  const wrong = [errors.name, errors.concurrency, errors.options].some(Boolean);
  return (
    <details open={open || wrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>More options</summary>
      <div className="form-section">
        <div className="form-pair">
          <TextField
            label="Name"
            optional
            maxLength={200}
            error={errors.name}
            value={form.name}
            onValue={(name) => onChange({ name })}
          />
          <TextField
            label="Pages at the same time"
            optional
            type="number"
            min={1}
            max={32}
            placeholder="4"
            error={errors.concurrency}
            value={form.concurrency}
            onValue={(concurrency) => onChange({ concurrency })}
          />
        </div>
        <TextArea
          label="Parameters for every page"
          optional
          className="mono"
          rows={3}
          hint="A JSON object with fields of the quick action: format, waitFor, policy, profile …"
          placeholder='{ "format": "text" }'
          error={errors.options}
          value={form.options}
          onValue={(options) => onChange({ options })}
        />
      </div>
    </details>
  );
}

/** The dialog for a new browser. Errors of the service appear at the fields that they are about. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryKeys } from '../../../data/data.ts';
import { FormDialog } from '../../../parts/dialogs/dialogs.ts';
import { issuesOf, sortIssues } from '../../../parts/forms/forms.ts';
import { ErrorNote, useToast } from '../../../parts/notices/notices.ts';
import { useClient } from '../../../session/session.ts';
import { FormFieldInput } from './field-input.tsx';
import { allFields, basics, type FormSection, fieldsOf, more } from './fields.ts';
import { type Draft, settingsOf } from './settings.ts';

interface Props {
  onClose(): void;
  onCreated(id: string): void;
}
const names = allFields.map(({ name }) => name);

export function CreateDialog({ onClose, onCreated }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<Draft>({});
  const request = settingsOf(draft);
  const create = useMutation({
    mutationFn: () =>
      client.browsers.create(request.settings, { waitSeconds: request.waitSeconds || undefined }),
    onSuccess: ({ id }) => {
      toast.say('Browser ready.');
      void queries.invalidateQueries({ queryKey: queryKeys.browsers });
      onCreated(id);
    },
  });
  const [tried, setTried] = useState(false);
  const found = sortIssues(
    tried && request.issues.length > 0 ? request.issues : issuesOf(create.error),
    names,
  );
  const isOnlyFields = create.error && Object.keys(found.at).length > 0 && found.rest.length === 0;
  useEffect(() => {
    if (create.isError) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [create.isError]);
  const submit = (): void => {
    setTried(true);
    create.reset();
    if (request.issues.length === 0) create.mutate();
  };
  const section = { draft, errors: found.at, set: (change: Draft) => setDraft({ ...draft, ...change }) };
  return (
    <FormDialog
      title="New browser"
      action="Create browser"
      busy={create.isPending}
      wide
      noValidate
      formRef={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <Rows section={basics} {...section} />
      {more.map((one) => (
        <Folded key={one.title} section={one} {...section} />
      ))}
      {create.isError && !isOnlyFields && <ErrorNote error={create.error} />}
    </FormDialog>
  );
}

interface SectionProps {
  section: FormSection;
  draft: Draft;
  errors: Record<string, string>;
  set(change: Draft): void;
}

/** Opens by itself when a field in it is wrong. */
function Folded(props: SectionProps) {
  const { title, about } = props.section;
  const [open, setOpen] = useState(false);
  const wrong = fieldsOf(props.section).some(({ name }) => props.errors[name] !== undefined);
  return (
    <details open={open || wrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <small>{about}</small>
      </summary>
      <Rows {...props} />
    </details>
  );
}

function Rows({ section, draft, errors, set }: SectionProps) {
  return (
    <div className="form-section">
      {section.rows.map((row) => (
        <div key={row[0]?.name} className="form-pair">
          {row.map((field) => (
            <FormFieldInput
              key={field.name}
              field={field}
              value={draft[field.name]}
              error={errors[field.name]}
              onValue={(value) => set({ [field.name]: value })}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

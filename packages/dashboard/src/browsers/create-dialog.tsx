import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { issuesOf, sortIssues } from '../parts/issues.ts';
import { useToast } from '../parts/toast.tsx';
import { queryKeys } from '../query.ts';
import { useClient } from '../session.tsx';
import { FormFieldInput } from './create-field-input.tsx';
import { allFields, basics, type FormSection, fieldsOf, more } from './create-fields.ts';
import { type Draft, settingsOf } from './create-settings.ts';

interface Props {
  onClose(): void;
  onCreated(id: string): void;
}
const names = allFields.map(({ name }) => name);

export function CreateDialog({ onClose, onCreated }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<Draft>({});
  const asked = settingsOf(draft);
  const create = useMutation({
    mutationFn: () => client.browsers.create(asked.settings, { waitSeconds: asked.waitSeconds || undefined }),
    onSuccess: ({ id }) => {
      toast.say('The browser is ready.');
      void queries.invalidateQueries({ queryKey: queryKeys.browsers });
      onCreated(id);
    },
  });
  const [tried, setTried] = useState(false);
  const found = sortIssues(tried && asked.issues.length > 0 ? asked.issues : issuesOf(create.error), names);
  const isOnlyFields = create.error && Object.keys(found.at).length > 0 && found.rest.length === 0;
  useEffect(() => {
    if (create.isError) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [create.isError]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    create.reset();
    if (asked.issues.length === 0 && !create.isPending) create.mutate();
  };
  const section = { draft, errors: found.at, set: (change: Draft) => setDraft({ ...draft, ...change }) };
  return (
    <Dialog
      title="New browser"
      wide
      onClose={onClose}
      held={create.isPending}
      footer={
        <>
          <Button onClick={onClose} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={formId} kind="primary" busy={create.isPending}>
            Create browser
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} className="form" onSubmit={submit} noValidate>
        <Rows section={basics} {...section} />
        {more.map((one) => (
          <Folded key={one.title} section={one} {...section} />
        ))}
        {create.isError && !isOnlyFields && <ErrorNote error={create.error} />}
      </form>
    </Dialog>
  );
}

interface SectionProps {
  section: FormSection;
  draft: Draft;
  errors: Record<string, string>;
  set(change: Draft): void;
}

/** Opens by itself when something in it is wrong. */
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

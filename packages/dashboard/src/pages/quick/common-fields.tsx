/** The fields that all quick actions have: the page, and rarely used options. */
import { Select, TextArea, TextField } from '../../parts/forms/forms.ts';
import { CheckSet } from './check-set.tsx';
import { type QuickForm, resources } from './quick-request.ts';

export interface FieldsProps {
  form: QuickForm;
  onChange: (part: Partial<QuickForm>) => void;
}

/** The page. */
export function CommonFields({ form, onChange }: FieldsProps) {
  return (
    <>
      <Select
        label="Page"
        value={form.source}
        choices={[
          { value: 'url', label: 'From a URL' },
          { value: 'html', label: 'From HTML' },
        ]}
        onValue={(source) => onChange({ source })}
      />
      {form.source === 'url' ? (
        <TextField
          label="URL"
          type="text"
          inputMode="url"
          placeholder="https://example.com/"
          value={form.url}
          onValue={(url) => onChange({ url })}
        />
      ) : (
        <TextArea
          label="HTML"
          className="mono"
          rows={6}
          placeholder="<h1>Hello</h1>"
          value={form.html}
          onValue={(html) => onChange({ html })}
        />
      )}
    </>
  );
}

/** When the page counts as loaded, and rarely used options. */
export function MoreFields({ form, onChange, error }: FieldsProps & { error: string | undefined }) {
  return (
    <details className="more-fields">
      <summary>More options</summary>
      <div className="form">
        <div className="form-pair">
          <TextField
            label="Wait for"
            optional
            hint="load, domcontentloaded, networkidle, a selector, or milliseconds"
            value={form.waitFor}
            onValue={(waitFor) => onChange({ waitFor })}
          />
          <TextField
            label="Timeout (ms)"
            optional
            type="number"
            min={1}
            placeholder="30000"
            value={form.timeoutMs}
            onValue={(timeoutMs) => onChange({ timeoutMs })}
          />
        </div>
        <CheckSet
          label="Don’t load"
          names={resources}
          chosen={form.blockResources}
          onChosen={(blockResources) => onChange({ blockResources })}
        />
        <TextArea
          label="More parameters"
          optional
          hint="A JSON object: viewport, cookies, extraHeaders, policy, proxy, extract, maxChars, margin …"
          className="mono"
          rows={3}
          error={error}
          placeholder='{ "viewport": { "width": 390, "height": 844 } }'
          value={form.more}
          onValue={(more) => onChange({ more })}
        />
      </div>
    </details>
  );
}

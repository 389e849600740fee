/** The options of a run. */
import { Check, Select, TextArea, TextField } from '../../parts/forms/forms.ts';
import { argsTrouble, type ScriptForm } from './script-request.ts';

const observations = [
  { value: 'aria', label: 'Accessibility tree, with references' },
  { value: 'text', label: 'Text' },
  { value: 'markdown', label: 'Markdown' },
  { value: 'html', label: 'HTML' },
  { value: 'none', label: 'None' },
] as const;

export function ScriptOptions(props: { form: ScriptForm; onChange: (part: Partial<ScriptForm>) => void }) {
  const { form, onChange } = props;
  return (
    <>
      <div className="form-pair">
        <Select
          label="Page content after the run"
          value={form.observe}
          choices={observations}
          onValue={(observe) => onChange({ observe })}
        />
        <TextField
          label="Timeout (ms)"
          type="number"
          min={1}
          max={120_000}
          value={form.timeoutMs}
          onValue={(timeoutMs) => onChange({ timeoutMs })}
        />
      </div>
      <TextArea
        label="Arguments"
        optional
        hint="JSON, available in the code as args."
        className="mono"
        rows={2}
        placeholder='{ "query": "weather" }'
        error={argsTrouble(form.args)}
        value={form.args}
        onValue={(args) => onChange({ args })}
      />
      <Check
        label="Take a screenshot after the run"
        checked={form.screenshot}
        onValue={(screenshot) => onChange({ screenshot })}
      />
      <Check
        label="Record a trace"
        hint="Every action with the page before and after it, and the network. The run takes longer."
        checked={form.trace}
        onValue={(trace) => onChange({ trace })}
      />
    </>
  );
}

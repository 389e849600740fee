/** The input of a field, by its kind. */
import { Check, Select, TextArea, TextField } from '../../../parts/forms/forms.ts';
import type { FormField } from './fields.ts';

interface Props {
  field: FormField;
  value: string | boolean | undefined;
  error: string | undefined;
  onValue(value: string | boolean): void;
}

export function FormFieldInput({ field, value, error, onValue }: Props) {
  const { label, hint, placeholder, kind } = field;
  if (kind === 'check') return <Check label={label} hint={hint} checked={value === true} onValue={onValue} />;
  const text = { label, hint, error, value: String(value ?? ''), onValue };
  if (kind === 'choice') return <Select {...text} choices={field.choices} />;
  if (kind === 'list' || kind === 'pairs') return <TextArea {...text} placeholder={placeholder} rows={3} />;
  if (kind === 'json') return <TextArea {...text} placeholder={placeholder} rows={3} className="mono" />;
  return (
    <TextField
      {...text}
      placeholder={placeholder}
      type={kind === 'password' ? 'password' : 'text'}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      autoComplete={kind === 'password' ? 'new-password' : 'off'}
    />
  );
}

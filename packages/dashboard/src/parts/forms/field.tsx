/** Inputs with labels. Hint and error are announced by screen readers; values are text. */
import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';

export interface FieldFacts {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** The label is there for screen readers only. */
  bare?: boolean;
  optional?: boolean;
}
interface Value {
  value: string;
  onValue(value: string): void;
}
type Inherited<Attributes> = Omit<Attributes, 'value' | 'onChange' | 'children'>;

interface Wiring {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

function Field(props: FieldFacts & { children: (wiring: Wiring) => ReactNode }) {
  const { label, hint, error, bare, optional, children } = props;
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id} className={bare ? 'for-readers' : undefined}>
        {label}
        {optional && <span className="optional"> optional</span>}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined })}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = FieldFacts & Value & Inherited<InputHTMLAttributes<HTMLInputElement>>;
export function TextField({ label, hint, error, bare, optional, onValue, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, bare, optional }}>
      {(wiring) => (
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          {...input}
          {...wiring}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

type TextAreaProps = FieldFacts & Value & Inherited<TextareaHTMLAttributes<HTMLTextAreaElement>>;
export function TextArea({ label, hint, error, bare, optional, onValue, ...input }: TextAreaProps) {
  return (
    <Field {...{ label, hint, error, bare, optional }}>
      {(wiring) => (
        <textarea
          rows={3}
          spellCheck={false}
          {...input}
          {...wiring}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

export interface Choice<Name extends string> {
  value: Name;
  label: string;
}
interface SelectProps<Name extends string> extends FieldFacts {
  value: Name;
  choices: readonly Choice<Name>[];
  onValue(value: NoInfer<Name>): void;
  disabled?: boolean;
}
export function Select<Name extends string>(props: SelectProps<Name>) {
  const { value, choices, onValue, disabled, ...facts } = props;
  return (
    <Field {...facts}>
      {(wiring) => (
        <select
          {...wiring}
          value={value}
          disabled={disabled}
          onChange={(event) => onValue(event.target.value as Name)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  label: string;
  hint?: string;
  checked: boolean;
  onValue(checked: boolean): void;
  disabled?: boolean;
}
export function Check({ label, hint, checked, onValue, disabled }: CheckProps) {
  const id = useId();
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onValue(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p className="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** One of a few choices, as a row of buttons. */
interface Props<Name extends string> {
  /** For screen readers. */
  legend: string;
  choices: Record<Name, string>;
  value: Name;
  onValue(value: Name): void;
  className?: string;
}

export function ChoiceChips<Name extends string>({
  legend,
  choices,
  value,
  onValue,
  className,
}: Props<Name>) {
  return (
    <fieldset className={className ? `chips ${className}` : 'chips'}>
      <legend className="for-readers">{legend}</legend>
      {(Object.keys(choices) as Name[]).map((name) => (
        <button
          key={name}
          type="button"
          className="chip"
          aria-pressed={name === value}
          onClick={() => onValue(name)}
        >
          {choices[name]}
        </button>
      ))}
    </fieldset>
  );
}

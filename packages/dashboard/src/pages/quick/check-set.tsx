/** A set of check boxes. */
import { Check } from '../../parts/forms/forms.ts';

export function CheckSet<Name extends string>(props: {
  label: string;
  names: readonly Name[];
  chosen: ReadonlySet<Name>;
  onChosen: (chosen: ReadonlySet<Name>) => void;
}) {
  const { label, names, chosen, onChosen } = props;
  return (
    <fieldset className="check-set">
      <legend>{label}</legend>
      {names.map((name) => (
        <Check
          key={name}
          label={name}
          checked={chosen.has(name)}
          onValue={(checked) =>
            onChosen(new Set(names.filter((each) => (each === name ? checked : chosen.has(each)))))
          }
        />
      ))}
    </fieldset>
  );
}

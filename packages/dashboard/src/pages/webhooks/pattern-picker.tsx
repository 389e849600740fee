/** Events to choose by group: a whole group, or some of its types. */
import type { api } from '@browserd/sdk';
import { type Group, groups, isChosen, patternsOf, toggled } from './patterns.ts';

interface Props {
  chosen: readonly api.EventPattern[];
  onChosen(chosen: readonly api.EventPattern[]): void;
}

export function PatternPicker({ chosen, onChosen }: Props) {
  return (
    <fieldset className="patterns">
      <legend>Events</legend>
      <p className="field-hint">
        {chosen.length === 0 ? 'None chosen: it is told of all.' : `${chosen.length} chosen.`}
      </p>
      {(Object.keys(groups) as Group[]).map((group) => (
        <div key={group} className="pattern-group">
          <Pattern pattern={`${group}.*`} label={group} {...{ chosen, onChosen }} />
          {groups[group].length > 1 && (
            <div>
              {patternsOf(group).map((pattern) => (
                <Pattern
                  key={pattern}
                  pattern={pattern}
                  label={pattern.slice(group.length + 1)}
                  {...{ chosen, onChosen }}
                />
              ))}
            </div>
          )}
        </div>
      ))}
    </fieldset>
  );
}

function Pattern({ pattern, label, chosen, onChosen }: Props & { pattern: api.EventPattern; label: string }) {
  return (
    <label className="pattern">
      <input
        type="checkbox"
        checked={isChosen(chosen, pattern)}
        aria-label={pattern}
        onChange={() => onChosen(toggled(chosen, pattern))}
      />
      <span>{label}</span>
    </label>
  );
}

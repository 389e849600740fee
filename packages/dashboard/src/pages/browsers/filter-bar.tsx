/** Filter and search of the list; the search applies a moment after typing. */
import { useEffect, useState } from 'react';
import { TextField } from '../../parts/forms/forms.ts';
import { type Show, shows } from './filter.ts';

interface Props {
  show: Show;
  search: string;
  onShow(show: Show): void;
  onSearch(search: string): void;
}

const afterTypingMs = 250;

export function FilterBar({ show, search, onShow, onSearch }: Props) {
  const [text, setText] = useState(search);
  useEffect(() => {
    if (text.trim() === search) return;
    const timer = setTimeout(() => onSearch(text.trim()), afterTypingMs);
    return () => clearTimeout(timer);
  }, [text, search, onSearch]);
  return (
    <div className="filter-bar">
      <fieldset className="segments">
        <legend className="for-readers">Which browsers</legend>
        {Object.entries(shows).map(([name, { label }]) => (
          <label key={name}>
            <input type="radio" name="show" checked={name === show} onChange={() => onShow(name as Show)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <TextField
        bare
        type="search"
        label="Search by name, id or metadata"
        placeholder="Name, id, or team=red"
        value={text}
        onValue={setText}
      />
    </div>
  );
}

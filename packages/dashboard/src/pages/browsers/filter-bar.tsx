/** Filter with counts, search, and the choice of cards or a table; the search applies a moment after typing. */
import type { api } from '@browserd/sdk';
import { useEffect, useState } from 'react';
import { Icon } from '../../parts/controls/controls.ts';
import { TextField } from '../../parts/forms/forms.ts';
import { countOf, type Show, shows } from './filter.ts';
import { type Look, looks } from './list-look.ts';

interface Props {
  show: Show;
  search: string;
  look: Look;
  counts: api.BrowserCounts | undefined;
  onShow(show: Show): void;
  onSearch(search: string): void;
  onLook(look: Look): void;
}

const afterTypingMs = 250;

export function FilterBar({ show, search, look, counts, onShow, onSearch, onLook }: Props) {
  const [text, setText] = useState(search);
  useEffect(() => {
    if (text.trim() === search) return;
    const timer = setTimeout(() => onSearch(text.trim()), afterTypingMs);
    return () => clearTimeout(timer);
  }, [text, search, onSearch]);
  return (
    <div className="filter-bar">
      <fieldset className="segments">
        <legend className="for-readers">Status</legend>
        {Object.entries(shows).map(([name, { label }]) => (
          <label key={name}>
            <input type="radio" name="show" checked={name === show} onChange={() => onShow(name as Show)} />
            <span>
              {label} {counts && <small>{countOf(name as Show, counts).toLocaleString()}</small>}
            </span>
          </label>
        ))}
      </fieldset>
      <div className="filter-end">
        <TextField
          bare
          type="search"
          label="Search by name, ID or metadata"
          placeholder="Name, ID or team=red"
          maxLength={200}
          value={text}
          onValue={setText}
        />
        <fieldset className="segments">
          <legend className="for-readers">View</legend>
          {Object.entries(looks).map(([name, label]) => (
            <label key={name} title={label}>
              <input
                type="radio"
                name="look"
                aria-label={label}
                checked={name === look}
                onChange={() => onLook(name as Look)}
              />
              <span>
                <Icon name={name as Look} />
              </span>
            </label>
          ))}
        </fieldset>
      </div>
    </div>
  );
}

/** Where the script runs: in a browser that is ready, or in a new one. */
import { useQuery } from '@tanstack/react-query';
import { Check, Select } from '../../parts/forms/forms.ts';
import { useClient } from '../../session/session.ts';

export const newBrowser = 'new';
const most = 100;

export function BrowserChoice(props: {
  value: string;
  onValue: (value: string) => void;
  keep: boolean;
  onKeep: (keep: boolean) => void;
  disabled: boolean;
}) {
  const { value, onValue, keep, onKeep, disabled } = props;
  const client = useClient();
  const { data = [], error } = useQuery({
    queryKey: ['browsers', 'ready', 'choice'],
    queryFn: ({ signal }) => client.browsers.list({ status: ['ready'], limit: most }, { signal }).all(most),
  });
  const known = data.map(({ id, record }) => ({ value: id, label: nameOf(id, record.name) }));
  const isListed = value === newBrowser || data.some(({ id }) => id === value);
  return (
    <>
      <Select
        label="Run in"
        value={value}
        disabled={disabled}
        error={error ? 'Couldn’t load the list of browsers.' : undefined}
        choices={[
          { value: newBrowser, label: 'A new browser' },
          ...(isListed ? [] : [{ value, label: nameOf(value) }]),
          ...known,
        ]}
        onValue={onValue}
      />
      {value === newBrowser && (
        <Check
          label="Keep the browser afterwards"
          hint="Otherwise it is closed after the run."
          checked={keep}
          onValue={onKeep}
        />
      )}
    </>
  );
}

const nameOf = (id: string, name?: string): string => (name ? `${name.slice(0, 60)} (${id.slice(-6)})` : id);

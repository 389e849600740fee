/** What of the log is shown. A text is looked for in the rows that are loaded; the service applies the rest. */
import type { Browser } from '@browserd/sdk';
import { usePart } from '../../../data/data.ts';
import { Icon } from '../../../parts/controls/controls.ts';
import { Check, Select, TextField } from '../../../parts/forms/forms.ts';
import { clock, plainly } from '../../../parts/text/text.ts';
import {
  type RequestKind,
  type RequestsView,
  requestKinds,
  type StatusClass,
  statusClasses,
} from '../network-address.ts';

const kinds = [
  { value: '', label: 'All types' },
  ...Object.entries(requestKinds).map(([value, { label }]) => ({ value, label })),
];
const statuses = [
  { value: '', label: 'Any status' },
  ...statusClasses.map((value) => ({ value, label: value })),
];

export function FilterBar(props: {
  browser: Browser;
  view: RequestsView;
  text: string;
  onView: (change: RequestsView) => void;
  onText: (text: string) => void;
}) {
  const { browser, view, text, onView, onText } = props;
  const tabs = useTabs(browser, view.tab);
  return (
    <fieldset className="requests-filter">
      <legend className="for-readers">Filters</legend>
      <TextField
        bare
        type="search"
        label="Search in addresses, methods and errors"
        placeholder="Address, method or error"
        maxLength={200}
        value={text}
        onValue={onText}
      />
      <Select
        bare
        label="Type"
        value={view.kind ?? ''}
        choices={kinds}
        onValue={(kind) => onView({ kind: (kind || undefined) as RequestKind | undefined })}
      />
      <Select
        bare
        label="Status"
        value={view.status ?? ''}
        choices={statuses}
        onValue={(status) => onView({ status: (status || undefined) as StatusClass | undefined })}
      />
      {(tabs.length > 2 || view.tab) && (
        <Select
          bare
          label="Tab"
          value={view.tab ?? ''}
          choices={tabs}
          onValue={(tab) => onView({ tab: tab || undefined })}
        />
      )}
      <Check
        label="Failed only"
        checked={view.failed === true}
        onValue={(failed) => onView({ failed: failed || undefined })}
      />
      {view.host && (
        <Removable label={`Host ${plainly(view.host)}`} onRemove={() => onView({ host: undefined })} />
      )}
      {view.since && (
        <Removable
          label={`Since ${clock.format(new Date(view.since))}`}
          onRemove={() => onView({ since: undefined })}
        />
      )}
    </fieldset>
  );
}

/** A filter that came by a link. */
function Removable({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      className="chip"
      aria-pressed="true"
      aria-label={`Remove filter: ${label}`}
      onClick={onRemove}
    >
      <bdi className="requests-chip">{label}</bdi>
      <Icon name="close" size={12} />
    </button>
  );
}

const longestTitle = 60;

/** The open tabs; the one that is asked for stands among them when it has been closed. */
function useTabs(browser: Browser, wanted: string | undefined): { value: string; label: string }[] {
  const { data } = usePart(browser, 'status', (signal) => browser.status({ signal }));
  const open = (data?.tabs ?? []).map(({ tabId, title, url }) => ({
    value: tabId,
    label: plainly((title || url).slice(0, longestTitle)) || tabId,
  }));
  const isKnown = wanted === undefined || open.some(({ value }) => value === wanted);
  const all = isKnown ? open : [...open, { value: wanted, label: 'Closed tab' }];
  return [{ value: '', label: 'All tabs' }, ...all];
}

import type { LiveMode } from './live-address.ts';

const modes: Record<LiveMode, string> = { control: 'Control', view: 'Watch only' };

export function ModeSwitch({ mode, onMode }: { mode: LiveMode; onMode: (mode: LiveMode) => void }) {
  return (
    <fieldset className="chips">
      <legend className="for-readers">What the live view is for</legend>
      {(Object.keys(modes) as LiveMode[]).map((each) => (
        <button
          key={each}
          type="button"
          className="chip"
          aria-pressed={each === mode}
          onClick={() => onMode(each)}
        >
          {modes[each]}
        </button>
      ))}
    </fieldset>
  );
}

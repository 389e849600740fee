/** The phases of one request, over the whole width, with their times. */
import type { api } from '@browserd/sdk';
import { phaseNames, phasesOf } from '../phases.ts';
import { exactDuration } from '../request-facts.ts';

const unitsWide = 1000;

export function Timing({ request }: { request: api.NetworkRequest }) {
  const phases = phasesOf(request);
  const whole = request.durationMs ?? 0;
  if (phases.length === 0) return null;
  const perMs =
    unitsWide /
    Math.max(
      whole,
      phases.reduce((sum, { ms }) => sum + ms, 0),
    );
  return (
    <section className="request-section" aria-label="Timing">
      <h4>Timing</h4>
      <ul className="request-phases">
        {phases.map(({ name, from, ms }) => (
          <li key={name}>
            <span>{phaseNames[name]}</span>
            <svg
              viewBox={`0 0 ${unitsWide} 10`}
              preserveAspectRatio="none"
              aria-hidden="true"
              focusable="false"
            >
              <rect
                className={`phase-${name}`}
                x={Math.min(from * perMs, unitsWide - 4)}
                y="0"
                width={Math.max(4, ms * perMs)}
                height="10"
              />
            </svg>
            <span>{exactDuration(ms)}</span>
          </li>
        ))}
        <li>
          <b>Total</b>
          <span />
          <b>{exactDuration(whole)}</b>
        </li>
      </ul>
    </section>
  );
}

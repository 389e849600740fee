/** A state as a word; the colour only helps. */

export type Tone = 'good' | 'busy' | 'calm' | 'bad' | 'warning';

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

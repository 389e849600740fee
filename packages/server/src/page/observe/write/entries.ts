/** An outline as a tree again. Two entries have the same id if they say the same, with all that is in them. */
export interface Entry {
  text: string;
  ref?: string;
  id: number;
  /** How many lines it has, its own included. */
  lines: number;
  below: Entry[];
}

/** Behind the role and the quoted name: what a page wrote itself is quoted, or stands behind the colon. */
const reference = /^[^\s"[:]+(?: "(?:\\.|[^"\\])*")? \[ref=(\w+)\]/;

export function parse(outline: string, known: Map<string, number>, nested: boolean): Entry[] {
  const root: Entry = { text: '', id: 0, lines: 1, below: [] };
  const open: Entry[] = [root];
  for (const line of outline.split('\n')) {
    const text = nested ? line.trimStart() : line;
    if (text === '') continue;
    const depth = nested ? (line.length - text.length) / 2 : 0;
    while (open.length > depth + 1) close(open, known);
    const ref = reference.exec(text)?.[1];
    const entry: Entry = { text, ...(ref && { ref }), id: 0, lines: 1, below: [] };
    open.at(-1)?.below.push(entry);
    open.push(entry);
  }
  while (open.length > 1) close(open, known);
  return root.below;
}

/** All that is in it has come. */
function close(open: Entry[], known: Map<string, number>): void {
  const entry = open.pop();
  const around = open.at(-1);
  if (!entry || !around) return;
  const key = `${entry.below.map(({ id }) => id).join(' ')}\n${entry.text}`;
  entry.id = known.get(key) ?? known.size + 1;
  known.set(key, entry.id);
  around.lines += entry.lines;
}

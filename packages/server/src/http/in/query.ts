/**
 * `?status=ready&status=stopped&metadata[team]=red` → { status: ['ready', 'stopped'], metadata: { team: 'red' } }.
 * The router calls it outside of any error handling, so it must not throw: what is odd is left for the schema
 * to refuse. Objects without prototype, so that no name can mean more than it says.
 */
type Values = Record<string, unknown>;

const bracketed = /^([^[\]]+)\[([^[\]]+)\]$/;

const add = (values: Values, name: string, value: string): void => {
  const known = values[name];
  if (known === undefined) values[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else values[name] = [known, value];
};

export function parseQuery(text: string): Values {
  const values: Values = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const match = bracketed.exec(name);
    if (!match) {
      add(values, name, value);
      continue;
    }
    const [, outer, inner] = match as unknown as [string, string, string];
    const known = values[outer];
    const isMap = known !== null && typeof known === 'object' && !Array.isArray(known);
    if (known === undefined) values[outer] = Object.create(null);
    if (known === undefined || isMap) add(values[outer] as Values, inner, value);
    else add(values, name, value);
  }
  return values;
}

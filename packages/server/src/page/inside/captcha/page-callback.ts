/**
 * Hands an answer to the page as its widget would have: by the function that the page gave to the widget. This runs in
 * the page's own world, since functions of the page exist there alone, and what it finds there may be anything.
 */
type Callback = (answer: string) => void;

const deepest = 4;
const mostKeys = 100;

const isCallback = (value: unknown): value is Callback => typeof value === 'function';

function named(name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], window);
}

/** reCAPTCHA keeps the function somewhere in a tree of minified names. */
function search(value: unknown, depth: number): Callback | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  if (value instanceof Node || value === window) return undefined;
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object).slice(0, mostKeys)) {
    const each = object[key];
    if (key === 'callback' && isCallback(each)) return each;
    const inside = search(each, depth + 1);
    if (inside) return inside;
  }
  return undefined;
}

export function tellPage(answer: string, name: string | null): boolean {
  const configured = (window as { ___grecaptcha_cfg?: { clients?: object } }).___grecaptcha_cfg?.clients;
  const own = name ? named(name) : undefined;
  const callback = isCallback(own) ? own : search(Object.values(configured ?? {}), 0);
  callback?.(answer);
  return callback !== undefined;
}

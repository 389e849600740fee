/** What on the page comes nearest to a selector that matched nothing: a typo, another role, other words. */
import { lookInto } from './look.ts';
import type { PageSession } from './page-session.ts';

const mostCandidates = 3;

/** Things a person could act on or read, each with a selector that Playwright understands. */
const listThings = `(() => {
  const quote = (text) => JSON.stringify(text.trim().replace(/\\s+/g, ' ').slice(0, 80));
  const roles = { A: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', H1: 'heading', H2: 'heading', H3: 'heading', IMG: 'img' };
  const inputs = { checkbox: 'checkbox', radio: 'radio', submit: 'button', button: 'button', range: 'slider', number: 'spinbutton' };
  const found = new Set();
  for (const element of document.querySelectorAll('a,button,input,select,textarea,label,h1,h2,h3,img[alt],[role],[id],[data-testid]')) {
    if (found.size >= 400) break;
    const role = element.getAttribute('role') ?? (element.tagName === 'INPUT' ? inputs[element.type] ?? 'textbox' : roles[element.tagName]);
    const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.placeholder ?? element.alt ?? element.innerText ?? element.value ?? '';
    if (element.dataset?.testid) found.add('getByTestId(' + quote(element.dataset.testid) + ')');
    if (element.id) found.add('#' + CSS.escape(element.id));
    if (role && name.trim()) found.add('getByRole(' + quote(role) + ', { name: ' + quote(name) + ' })');
    if (element.name) found.add(element.tagName.toLowerCase() + '[name=' + quote(element.name) + ']');
  }
  return [...found];
})()`;

/** Pairs of letters that two texts share, in proportion (Sørensen–Dice). */
function likeness(a: string, b: string): number {
  const pairs = (text: string): Map<string, number> => {
    const counts = new Map<string, number>();
    const plain = text.toLowerCase().replace(/getby\w+|locator|[^a-z0-9\u0080-\uffff]+/g, ' ');
    for (let at = 0; at < plain.length - 1; at++) {
      const pair = plain.slice(at, at + 2);
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    return counts;
  };
  const [left, right] = [pairs(a), pairs(b)];
  let shared = 0;
  for (const [pair, count] of left) shared += Math.min(count, right.get(pair) ?? 0);
  const total = [...left.values(), ...right.values()].reduce((sum, count) => sum + count, 0);
  return total === 0 ? 0 : (2 * shared) / total;
}

export async function nearestCandidates(page: PageSession, selector: string): Promise<string[]> {
  const things = await lookInto<string[]>(page, listThings).catch(() => []);
  return things
    .map((thing) => ({ thing, score: likeness(selector, thing) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, mostCandidates)
    .map(({ thing }) => thing);
}

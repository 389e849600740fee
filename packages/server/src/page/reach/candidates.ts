/** What on the page comes nearest to a selector that matched nothing: a typo, another role, other words. */
import { nearest } from '../../kit/nearest.ts';
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

/** Words of the selector language are in all of them and say nothing. */
const wordsOf = (selector: string): string => selector.replace(/getby\w+|locator/gi, ' ');

export async function nearestCandidates(page: PageSession, selector: string): Promise<string[]> {
  const things = await lookInto<string[]>(page, listThings).catch(() => []);
  return nearest(selector, things, mostCandidates, wordsOf);
}

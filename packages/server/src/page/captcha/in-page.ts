/** The parts that run in pages, each a module with one function, put together into what is sent there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const part = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'in-page', `${name}.js`), 'utf8')
    .replace(/^(\s*\/\/.*\n)+export default /, '')
    .trim()
    .replace(/;$/, '');

export const look = `(() => {
  const readers = { known: ${part('known')}, images: ${part('images')}, unknown: ${part('unknown')}, shows: ${part('shows')}, workings: ${part('workings')} };
  return (${part('look')})((${part('tools')})(), readers);
})()`;

type Hand = 'target' | 'picture' | 'clear' | 'answer' | 'mark' | 'root';

const hands = `(${part('hands')})((${part('tools')})())`;

export const hand = (name: Hand, ...given: unknown[]): string =>
  `${hands}.${name}(${given.map((value) => JSON.stringify(value)).join(', ')})`;

/** Text for people: untrusted text, times, sizes, names as words, JSON. */
export { jsonText } from './json-text.ts';
export { LongText } from './long-text.tsx';
export { plainly } from './plainly.ts';
export { size } from './size.ts';
export { clock, duration, Time } from './time.tsx';
export { Untrusted, WebLink } from './untrusted.tsx';
export { asWords } from './words.ts';

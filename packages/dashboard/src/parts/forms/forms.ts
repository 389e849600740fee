/** Inputs, and what is wrong with their values. */
export { Check, Select, TextArea, TextField } from './field.tsx';
export { type Issue, issuesOf, sortIssues } from './issues.ts';
export { jsonTrouble } from './json-trouble.ts';

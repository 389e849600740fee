/** What comes in, read and checked: JSON, forms, uploads, queries, `Prefer`. */
export { acceptJsonOnly } from './body.ts';
export { readIfMatch } from './if-match.ts';
export { acceptPageForms } from './page-form.ts';
export { readPrefer } from './prefer.ts';
export { parseQuery } from './query.ts';
export { acceptAnyBody, readUpload } from './upload.ts';
export { bodyInvalid, validationFailed, validatorCompiler } from './validate.ts';

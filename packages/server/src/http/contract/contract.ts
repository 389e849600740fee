/** The API as a document: OpenAPI, the answers that all routes share, the reference page. */
export { describeApi } from './openapi.ts';
export { referenceRoutes } from './reference.ts';
export { alsoAnswers, answers, bodyCodes, pageOf, pageQuery, pageSchema, wholeNumber } from './schemas.ts';

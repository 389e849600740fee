/** What a model reads: answers and failures in words, with everything that a page wrote marked as data. */
export type { Answer } from './answer.ts';
export {
  type Artifact,
  artifactData,
  artifactLine,
  artifactSchema,
  type Collection,
  collections,
  isText,
  listArtifacts,
  listOf,
  readText,
} from './artifacts.ts';
export { browserData, browserLine, browserSchema } from './browser-view.ts';
export { executionAnswer, executionSchema } from './execution.ts';
export { failure, failureOf, failureText } from './failure.ts';
export {
  captchaAdvice,
  captureOf,
  kind,
  observe,
  pageBlock,
  partFields,
  shownSchema,
} from './observation.ts';
export { fenced, oneLine, pageText, partOf, visible, word } from './page-content.ts';
export { sharesOf } from './shares.ts';
export { tabList, tabListSchema } from './tab-list.ts';

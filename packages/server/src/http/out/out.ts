/** What goes out: bytes with ranges, streams of events, the service's own files, addresses that a caller can open. */
export { bytesHeaders, nothing, sendContent } from './content.ts';
export { contentAddress } from './content-address.ts';
export { sendStream } from './event-stream.ts';
export { jsonWithBytes } from './json-with-bytes.ts';
export { type AnswerMasks, maskAnswers } from './mask-answers.ts';
export { collectRoutes, patternOf } from './not-found.ts';
export { createPublicUrl, type PublicUrl } from './public-url.ts';
export { sendLines, sendResults, wantsLines } from './result-stream.ts';
export { tellAsItRuns } from './script-stream.ts';
export { type SigningParts, signedAddress } from './signed-address.ts';
export { wantsStream } from './sse.ts';
export { contentPolicy, serveFile } from './static-files.ts';
export { limitUnreadAnswers } from './unread-answers.ts';
export { writePages } from './write-pages.ts';

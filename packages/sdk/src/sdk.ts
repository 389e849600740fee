/** The public names of `@browserd/sdk`; anything else is internal. */
export {
  type AddressOptions,
  Browser,
  type Downloads,
  type Files,
  type KnownBrowser,
  type LiveOptions,
  type Recordings,
  type RunOptions,
  type Scope,
  type Script,
  type ScriptOptions,
  type TabPdf,
  type TabScreenshot,
} from './browser/browser.ts';
export type { BrowserFilter, Browsers, CreateOptions } from './browsers.ts';
export { Browserd, type QuickOptions } from './client.ts';
export {
  type AnswerOptions,
  type AnthropicMessage,
  type AnthropicToolResult,
  answerAnthropic,
  answerGemini,
  answerOpenAI,
  type ComputerOptions,
  type GeminiFunctionResponse,
  type GeminiResponse,
  type ModelAction,
  type OpenAIComputerOutput,
  type OpenAIResponse,
} from './computer/computer.ts';
export { BrowserdError, ConnectionError, ScriptError } from './errors.ts';
export type { EventFilter, Events, FollowOptions } from './events.ts';
export type { Extensions } from './extensions.ts';
export type { ProjectFileFilter, ProjectFiles, ProjectUploadOptions } from './files.ts';
export type { Fonts } from './fonts.ts';
export type * as api from './generated/schemas.ts';
export type {
  CallOptions,
  Content,
  ContentOptions,
  Listing,
  ListOptions,
  OnceOptions,
  Page,
  Settings,
  Uploadable,
  UploadOptions,
  WorkOptions,
} from './http/http.ts';
export {
  type FollowJobOptions,
  JobError,
  type JobFilter,
  type JobResultFilter,
  type JobRun,
  type Jobs,
  type NewJob,
  type RunJobOptions,
} from './jobs/jobs.ts';
export { embedLiveView, type LiveFrame, type LiveFrameOptions, type LiveHandoff } from './live-frame.ts';
export type { Nodes } from './nodes.ts';
export type { ProfileFilter, Profiles, ProfileWaitOptions } from './profiles.ts';
export { type Delivered, verifyWebhook, type WebhookMessage } from './verify-webhook.ts';

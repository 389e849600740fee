/** What `@browserd/sdk` offers. */
export type { CallOptions, OnceOptions, Settings, WorkOptions } from './api.ts';
export type {
  ContentOptions,
  Downloads,
  Files,
  ListOptions,
  Recordings,
  UploadOptions,
} from './artifacts.ts';
export {
  Browser,
  type KnownBrowser,
  type LiveOptions,
  type RunOptions,
  type TabPdf,
  type TabScreenshot,
} from './browser.ts';
export type { BrowserFilter, Browsers, CreateOptions } from './browsers.ts';
export { Browserd, type QuickOptions } from './client.ts';
export type { Content, Uploadable } from './content.ts';
export { BrowserdError, ConnectionError, ScriptError } from './errors.ts';
export type { EventFilter, Events, FollowOptions } from './events.ts';
export type * as api from './generated/types.ts';
export type { Listing, Page } from './listing.ts';
export type { Scope, Script, ScriptOptions } from './script.ts';
export { type Delivered, verifyWebhook, type WebhookMessage } from './verify-webhook.ts';

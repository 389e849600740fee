/** The part of the browser that clients may see: tabs, what runs in them, and the browser as a whole. */
import { type ExtensionIds, mayBeSeen } from './urls.ts';

export interface TargetInfo {
  targetId: string;
  type: string;
  url: string;
  browserContextId?: string;
}

/** Not the hidden pages of extensions and embedded views, nor Chromium's own windows. */
const seenTypes = new Set([
  'browser',
  'tab',
  'page',
  'iframe',
  'worker',
  'shared_worker',
  'service_worker',
  'worklet',
]);

export const isSeen = (info: TargetInfo, extensionIds?: ExtensionIds): boolean =>
  seenTypes.has(info.type) && mayBeSeen(info.url, extensionIds);

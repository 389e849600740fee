/**
 * What a viewer is told: one JSON message a text frame, and the header of each picture. Types alone, which the page that a
 * viewer opens (`packages/server/view`) shares.
 */
import type { Dialog } from '../../browsers/record/dialog-schema.ts';
import type { Picker } from './picker.ts';
import type { HandoffAnswer } from './schema.ts';

export type ToldMessage =
  | { type: 'welcome'; browserId: string; mode: 'view' | 'control'; tabId?: string }
  | ({ type: 'state' } & ViewState)
  /** `what`: the type of the message that was refused, or what it was about. */
  | { type: 'refused'; what: string; message: string }
  | { type: 'clipboard'; text: string }
  | { type: 'picker'; picker: Picker }
  | { type: 'pickerClosed'; pickerId: string };

export interface ViewState {
  tabs: { tabId: string; url: string; title: string }[];
  activeTabId: string | null;
  /** Of the active tab, where it shows no page. */
  failed?: FailedPage;
  dialogs: Dialog[];
  downloads: RecentDownload[];
  handoff: Pick<HandoffAnswer, 'state' | 'ended' | 'message' | 'since'>;
  viewers: number;
}

export interface FailedPage {
  url: string;
  /** For a person. */
  message: string;
}

export interface RecentDownload {
  id: string;
  tabId?: string;
  suggestedFilename: string;
  state: string;
  receivedBytes: number;
  totalBytes?: number;
}

/** Of a picture. */
export interface FrameFacts {
  tabId: string;
  /** The page's own size in CSS pixels. */
  width: number;
  height: number;
  at: number;
}

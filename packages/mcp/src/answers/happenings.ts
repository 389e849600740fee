/** What happened in the browser during a call, beside what the page shows: a model that is not told of it goes on as if nothing had. */
import type { api } from '@browserd/sdk';
import { fenced, oneLine } from './page-content.ts';

const mostLines = 15;
const longestLine = 300;

type Activity = NonNullable<api.ScriptExecution['activity']>[number];
type Describe = (entry: Record<string, unknown>) => string;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const dialogLine: Describe = ({ dialog, message, state, closedBy }) => {
  const how = closedBy === 'mode' ? ', as this browser answers all of them' : '';
  return `dialog (${text(dialog)}, ${state ? `${text(state)}${how}` : 'open'}): ${text(message)}`;
};

/** Where the page went is in the answer already, and requests that fail are many: browser_network has them. */
const lines: Partial<Record<Activity['type'], Describe>> = {
  dialog: dialogLine,
  download: ({ suggestedFilename, url }) => `download began: ${text(suggestedFilename)} | ${text(url)}`,
  tab_opened: ({ tabId }) => `tab opened: ${text(tabId)}`,
  tab_closed: ({ tabId, url }) => `tab closed: ${text(tabId)} | ${text(url)}`,
  console_error: ({ text: said }) => `console error: ${text(said)}`,
  policy_blocked: ({ url, file, rule }) => `refused by the policy (${text(rule)}): ${text(url ?? file)}`,
};

/** Inside a fence: pages choose most of these words. */
export function happeningsOf({ activity = [] }: api.ScriptExecution): string | undefined {
  const told = new Map<string, number>();
  for (const entry of activity) {
    const line = lines[entry.type]?.(entry);
    if (line) told.set(oneLine(line, longestLine), (told.get(oneLine(line, longestLine)) ?? 0) + 1);
  }
  if (told.size === 0) return undefined;
  const shown = [...told]
    .slice(0, mostLines)
    .map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line));
  const left = told.size - shown.length;
  return fenced([...shown, ...(left > 0 ? [`(${left} more)`] : [])].join('\n'));
}

/** The dialog that opened during the call and waits for an answer. */
export function openDialogOf({
  activity = [],
  error,
}: api.ScriptExecution): { dialogId: string; type: string } | undefined {
  if (error?.code !== 'DIALOG_OPEN') return undefined;
  const open = activity.find(({ type, state }) => type === 'dialog' && state === undefined);
  return open && { dialogId: text(open.dialogId), type: text(open.dialog) };
}

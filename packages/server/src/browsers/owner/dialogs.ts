/** The dialogs of a browser, for its owner: while it runs from memory, otherwise as they were saved. */
import { decodeCursor, encodeCursor } from '../../kit/cursor.ts';
import { firstPage, type ListPage, type PageQuery } from '../../kit/page-of-list.ts';
import type { BrowserRecord, Store } from '../../store/records.ts';
import { isOver, notReady } from '../life/life.ts';
import type { AnswerDialog, Dialog } from '../record/dialog-schema.ts';
import type { Running, SavedState } from '../running/running.ts';

export interface OwnerDialogs {
  list(projectId: string, id: string, query: DialogQuery): Promise<ListPage<Dialog>>;
  answer(projectId: string, id: string, dialogId: string, answer: AnswerDialog): Promise<Dialog>;
}

export interface DialogQuery extends PageQuery {
  state?: Dialog['state'];
  tabId?: string;
}

export interface OwnerDialogsParts {
  store: Store;
  find(projectId: string, id: string): Promise<BrowserRecord>;
  use(projectId: string, id: string): Promise<Running>;
  running(id: string): Running | undefined;
}

const placeOf = (dialog: Dialog) => ({ createdAt: Date.parse(dialog.openedAt), id: dialog.id });

export function ownerDialogs(parts: OwnerDialogsParts): OwnerDialogs {
  const all = async (projectId: string, id: string): Promise<Dialog[]> => {
    const record = await parts.find(projectId, id);
    if (isOver(record)) throw notReady(record);
    const running = parts.running(id);
    if (running) return running.live.dialogs.list();
    const saved = (await parts.store.checkpoints.get(id))?.data as SavedState | undefined;
    return saved?.dialogs ?? [];
  };
  return {
    async list(projectId, id, { state, tabId, cursor, limit }) {
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      const found = (await all(projectId, id)).filter(
        (dialog) =>
          (!state || dialog.state === state) &&
          (tabId === undefined || dialog.tabId === tabId) &&
          (!after || placeOf(dialog).createdAt < after.createdAt),
      );
      return firstPage(
        found,
        limit,
        (last) => encodeCursor(placeOf(last)),
        (dialog) => dialog,
      );
    },
    async answer(projectId, id, dialogId, answer) {
      const running = await parts.use(projectId, id);
      running.acted();
      return running.live.dialogs.answer(dialogId, answer);
    },
  };
}

/** JavaScript dialogs of a browser's pages: listed and answered. */
import type { Dialog } from '../generated/schemas.ts';
import { type Body, type CallOptions, type Listing, listing, type Query } from '../http/http.ts';
import { BrowserResource } from './browser-resource.ts';

export class Dialogs extends BrowserResource {
  list(
    filter: Omit<Query<'DialogController_list'>, 'cursor'> = {},
    options: CallOptions = {},
  ): Listing<Dialog> {
    return listing(this.api, 'DialogController_list', { path: this.path, query: filter }, options);
  }

  answer(
    dialogId: string,
    answer: Body<'DialogController_answer'>,
    options: CallOptions = {},
  ): Promise<Dialog> {
    const call = { path: { ...this.path, dialogId }, body: answer };
    return this.api.json('DialogController_answer', call, options);
  }

  accept(dialogId: string, promptText?: string, options: CallOptions = {}): Promise<Dialog> {
    return this.answer(
      dialogId,
      { action: 'accept', ...(promptText !== undefined && { promptText }) },
      options,
    );
  }

  dismiss(dialogId: string, options: CallOptions = {}): Promise<Dialog> {
    return this.answer(dialogId, { action: 'dismiss' }, options);
  }
}

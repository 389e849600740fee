import type { Body, CallOptions, Query } from './api.ts';
import type { Dialog } from './generated/types.ts';
import { Held } from './held.ts';
import { type Listing, listing } from './listing.ts';

export class Dialogs extends Held {
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

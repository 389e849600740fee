// The dialogs of the page. While the person drives they wait for an answer given here.
import type { Dialog } from '../src/browsers/record/dialog-schema.ts';
import { $ } from './elements.ts';
import type { Send } from './parts.ts';

const leaving = 'Leave this page? What was entered there may not be saved.';

interface Parts {
  send: Send;
  allowed(): boolean;
}

/** Shows the dialog that it is given; without one, none. */
export function showDialogs({ send, allowed }: Parts): (dialog: Dialog | undefined) => void {
  const box = $('dialog');
  const text = $('dialog-text');
  const accept = $('dialog-accept');
  const dismiss = $('dialog-dismiss');
  let shown: Dialog | undefined;

  const answer = (action: 'accept' | 'dismiss'): void => {
    if (!allowed() || !shown) return;
    const prompt = action === 'accept' && shown.type === 'prompt' ? { promptText: text.value } : {};
    send({ type: 'dialog', dialogId: shown.id, action, ...prompt });
  };
  $('dialog-form').onsubmit = (event) => {
    event.preventDefault();
    answer('accept');
  };
  dismiss.onclick = () => answer('dismiss');
  // it closes when the page's own dialog does
  box.oncancel = (event) => {
    event.preventDefault();
    answer('dismiss');
  };
  // pressed twice, the web browser closes it all the same
  box.onclose = () => shown && box.showModal();

  return (dialog) => {
    for (const button of [accept, dismiss]) button.disabled = !allowed();
    if (shown?.id === dialog?.id) return;
    shown = dialog;
    if (!dialog) return box.close();
    const { type, url, message, defaultValue } = dialog;
    $('dialog-from').textContent = url;
    $('dialog-message').textContent = type === 'beforeunload' ? leaving : message;
    text.hidden = type !== 'prompt';
    text.value = defaultValue;
    dismiss.hidden = type === 'alert';
    accept.textContent = type === 'beforeunload' ? 'Leave' : 'OK';
    dismiss.textContent = type === 'beforeunload' ? 'Stay' : 'Cancel';
    if (!box.open) box.showModal();
    (type === 'prompt' ? text : accept).focus();
  };
}

// The dialogs of the page. While the person drives they wait for an answer given here.
const leaving = 'Leave this page? What was entered there may not be saved.';

export function showDialogs({ send, allowed, byId }) {
  const box = byId('dialog');
  const text = byId('dialog-text');
  const accept = byId('dialog-accept');
  const dismiss = byId('dialog-dismiss');
  let shown;

  const answer = (action) => {
    if (!allowed() || !shown) return;
    const prompt = action === 'accept' && shown.type === 'prompt' ? { promptText: text.value } : {};
    send({ type: 'dialog', dialogId: shown.id, action, ...prompt });
  };
  byId('dialog-form').onsubmit = (event) => {
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
    byId('dialog-from').textContent = url;
    byId('dialog-message').textContent = type === 'beforeunload' ? leaving : message;
    text.hidden = type !== 'prompt';
    text.value = defaultValue;
    dismiss.hidden = type === 'alert';
    accept.textContent = type === 'beforeunload' ? 'Leave' : 'OK';
    dismiss.textContent = type === 'beforeunload' ? 'Stay' : 'Cancel';
    if (!box.open) box.showModal();
    (type === 'prompt' ? text : accept).focus();
  };
}

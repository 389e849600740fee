// The viewer: the page behind a signed live address. It uses the live socket and nothing else; everything from the watched
// page (titles, addresses, messages) is shown as text, never as markup. The token is in the fragment, which no server sees.
import { sendInput } from './input.js';
import { pickersOn } from './picker.js';
import { pictureOn } from './picture.js';

const $ = (id) => document.getElementById(id);
const browserId = location.pathname.split('/').pop();
const screen = $('screen');
let socket;
let state;
let mode = 'view';
let frame = { width: 1280, height: 720 };
let delay = 500;
let timer;
let isToTakeOver = false;

const send = (message) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
};
const status = (text) => {
  $('status').textContent = text;
};

/** Read each time, because a page that frames this one may set a fresh token before the old one expires. */
function address() {
  const base = location.href.replace(/\/live\/[^/]*$/, '');
  const token = location.hash.slice(1);
  return `${base}/v1/browsers/${browserId}/live?token=${encodeURIComponent(token)}`;
}

/** Where a file that was picked for the page is uploaded to. */
const uploadAddress = (name) => `${address().replace('/live?', '/files?')}&name=${encodeURIComponent(name)}`;

const draw = pictureOn(screen, {
  onFrame: (shown) => {
    frame = shown;
  },
  onDone: () => send({ type: 'ready' }),
});
const pickers = pickersOn({ screen, size: () => frame, send, addressOf: uploadAddress });

function connect() {
  clearTimeout(timer);
  socket = new WebSocket(address().replace(/^http/, 'ws'));
  let wasOpen = false;
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    wasOpen = true;
    delay = 500;
    status('');
  };
  socket.onmessage = ({ data }) => (typeof data === 'string' ? receive(JSON.parse(data)) : draw(data));
  socket.onclose = ({ code, reason }) => reconnect(code, reason, wasOpen);
}

/** Closed, revoked and expired are final; after anything else the viewer reconnects to the same address. */
async function reconnect(code, reason, wasOpen) {
  pickers.closeAll();
  if (code === 4001 || code === 4004) return status(reason);
  const closed = socket;
  const isRefused = !wasOpen && (await refuses(address()));
  // reconnected with a fresh token meanwhile
  if (socket !== closed) return;
  if (isRefused)
    return status('This address has expired or is no longer valid. Ask for a new one where you got it.');
  status(code === 4000 ? 'The browser is stopped. Waiting for it to be resumed…' : 'Connecting again…');
  timer = setTimeout(connect, delay);
  delay = Math.min(delay * 2, 10_000);
}

/** A WebSocket does not say why it was refused; a plain request to the same address does. */
const refuses = (url) =>
  fetch(url).then(
    ({ status: answer }) => answer === 401,
    () => false,
  );

function receive(message) {
  if (message.type === 'welcome') mode = message.mode;
  if (message.type === 'refused') status(message.message);
  if (message.type === 'picker') pickers.show(message.picker);
  if (message.type === 'pickerClosed') pickers.close(message.pickerId);
  if (message.type !== 'state') return;
  state = message;
  showTabs();
  showControl();
  takeOver();
  showDialog(message.dialogs.find(({ tabId }) => tabId === message.activeTabId) ?? message.dialogs[0]);
  showDownloads();
}

const button = (text, label, act) => {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.title = label;
  made.setAttribute('aria-label', label);
  made.disabled = mode !== 'control';
  made.onclick = act;
  return made;
};

function showTabs() {
  const tabs = state.tabs.map(({ tabId, title, url }) => {
    const tab = document.createElement('li');
    if (tabId === state.activeTabId) tab.setAttribute('aria-current', 'page');
    const name = title || url || 'New tab';
    tab.append(
      button(name, name, () => send({ type: 'activate', tabId })),
      button('×', `Close ${name}`, () => send({ type: 'close', tabId })),
    );
    return tab;
  });
  const fresh = document.createElement('li');
  fresh.append(button('+', 'New tab', () => send({ type: 'open' })));
  $('tabs').replaceChildren(...tabs, fresh);
  const active = state.tabs.find(({ tabId }) => tabId === state.activeTabId);
  if (document.activeElement !== $('address')) $('address').value = active?.url ?? '';
}

function showControl() {
  const isControlled = state.handoff.state === 'person';
  const can = mode === 'control';
  for (const id of ['back', 'forward', 'reload', 'address']) $(id).disabled = !can;
  $('control').disabled = !can;
  $('control').textContent = !can ? 'Watching' : isControlled ? 'Hand back' : 'Take over';
  $('control').title = isControlled
    ? 'Scripts wait until you hand back'
    : 'Makes scripts wait while you work';
  $('control').onclick = () => send({ type: 'control', action: isControlled ? 'return' : 'take' });
  // a page that frames this one and lets control it shows the message itself, beside its own button
  $('message').hidden = !state.handoff.message || (parent !== window && can);
  $('message').textContent = state.handoff.message ?? '';
}

/** The page that frames this one has a button for it too, which may be pressed before there is a connection. */
function takeOver() {
  if (!isToTakeOver || mode !== 'control') return;
  isToTakeOver = false;
  if (state.handoff.state !== 'person') send({ type: 'control', action: 'take' });
  screen.focus();
}

function showDialog(dialog) {
  const box = $('dialog');
  if (!dialog) return box.open && box.close();
  if (box.open && box.dataset.id === dialog.id) return;
  box.dataset.id = dialog.id;
  $('dialog-from').textContent = dialog.url;
  $('dialog-message').textContent = dialog.message;
  const text = $('dialog-text');
  text.hidden = dialog.type !== 'prompt';
  text.value = dialog.defaultValue;
  $('dialog-dismiss').hidden = dialog.type === 'alert';
  const answer = (action) => () => {
    const prompt = action === 'accept' && dialog.type === 'prompt' ? { promptText: text.value } : {};
    send({ type: 'dialog', dialogId: dialog.id, action, ...prompt });
  };
  $('dialog-accept').onclick = answer('accept');
  $('dialog-dismiss').onclick = answer('dismiss');
  for (const id of ['dialog-accept', 'dialog-dismiss']) $(id).disabled = mode !== 'control';
  if (!box.open) box.showModal();
}

function showDownloads() {
  const items = state.downloads.map(({ suggestedFilename, state: how, receivedBytes, totalBytes }) => {
    const item = document.createElement('li');
    const share = totalBytes ? ` ${Math.floor((100 * receivedBytes) / totalBytes)} %` : '';
    item.textContent = `⬇ ${suggestedFilename} · ${how === 'inProgress' ? `downloading${share}` : how}`;
    return item;
  });
  $('downloads').replaceChildren(...items);
}

$('dialog').oncancel = (event) => event.preventDefault();
$('bar').onsubmit = (event) => {
  event.preventDefault();
  send({ type: 'visit', url: $('address').value });
  screen.focus();
};
for (const to of ['back', 'forward', 'reload']) $(to).onclick = () => send({ type: 'go', to });
sendInput({
  screen,
  keys: $('keys'),
  send,
  allowed: () => mode === 'control',
  size: () => frame,
});
addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || parent === window || origin !== location.origin || data !== 'take-over') return;
  isToTakeOver = true;
  if (state && socket.readyState === WebSocket.OPEN) takeOver();
});
// the page that frames this one, or the person, has set another token
addEventListener('hashchange', () => socket.readyState === WebSocket.CLOSED && connect());
connect();

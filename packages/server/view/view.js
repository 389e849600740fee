// The page behind a signed live address. It speaks the live socket and nothing else; all that comes from the watched
// page (titles, addresses, messages) is text to it, never markup. The token is in the fragment, which no server sees.
import { listenToHands } from './hands.js';

const $ = (id) => document.getElementById(id);
const browserId = location.pathname.split('/').pop();
const screen = $('screen');
const brush = screen.getContext('2d');
let socket;
let state;
let mode = 'view';
let frame = { width: 1280, height: 720 };
let pause = 500;
let again;

const say = (message) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
};
const status = (text) => {
  $('status').textContent = text;
};

/** Read each time: who frames this page may put a fresh token there before the old one expires. */
function address() {
  const base = location.href.replace(/\/live\/[^/]*$/, '');
  const token = location.hash.slice(1);
  return `${base}/v1/browsers/${browserId}/live?token=${encodeURIComponent(token)}`;
}

function connect() {
  clearTimeout(again);
  socket = new WebSocket(address().replace(/^http/, 'ws'));
  let wasOpen = false;
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    wasOpen = true;
    pause = 500;
    status('');
  };
  socket.onmessage = ({ data }) => (typeof data === 'string' ? hear(JSON.parse(data)) : draw(data));
  socket.onclose = ({ code, reason }) => leave(code, reason, wasOpen);
}

/** Closed, revoked and expired are for good; from everything else one comes back, to the same address. */
async function leave(code, reason, wasOpen) {
  if (code === 4001 || code === 4004) return status(reason);
  const left = socket;
  const isRefused = !wasOpen && (await refuses(address()));
  // a fresh token came meanwhile
  if (socket !== left) return;
  if (isRefused)
    return status('This address has expired or is no longer valid. Ask for a new one where you got it.');
  status(code === 4000 ? 'The browser is stopped. Waiting for it to be resumed…' : 'Connecting again…');
  again = setTimeout(connect, pause);
  pause = Math.min(pause * 2, 10_000);
}

/** A socket does not tell why it was not let in; the same address, asked as a page, does. */
const refuses = (url) =>
  fetch(url).then(
    ({ status: answer }) => answer === 401,
    () => false,
  );

function hear(message) {
  if (message.type === 'welcome') mode = message.mode;
  if (message.type === 'refused') status(message.message);
  if (message.type !== 'state') return;
  state = message;
  showTabs();
  showControl();
  showDialog(message.dialogs.find(({ tabId }) => tabId === message.activeTabId) ?? message.dialogs[0]);
  showDownloads();
}

async function draw(data) {
  const length = new DataView(data).getUint32(0);
  frame = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  try {
    const picture = await createImageBitmap(new Blob([new Uint8Array(data, 4 + length)]));
    if (screen.width !== picture.width) screen.width = picture.width;
    if (screen.height !== picture.height) screen.height = picture.height;
    brush.drawImage(picture, 0, 0);
    picture.close();
  } finally {
    say({ type: 'ready' });
  }
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
    const tab = document.createElement('div');
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-selected', String(tabId === state.activeTabId));
    const name = title || url || 'New tab';
    tab.append(
      button(name, name, () => say({ type: 'activate', tabId })),
      button('×', `Close ${name}`, () => say({ type: 'close', tabId })),
    );
    return tab;
  });
  $('tabs').replaceChildren(
    ...tabs,
    button('+', 'New tab', () => say({ type: 'open' })),
  );
  const active = state.tabs.find(({ tabId }) => tabId === state.activeTabId);
  if (document.activeElement !== $('address')) $('address').value = active?.url ?? '';
}

function showControl() {
  const held = state.handoff.state === 'person';
  const can = mode === 'control';
  for (const id of ['back', 'forward', 'reload', 'address']) $(id).disabled = !can;
  $('control').disabled = !can;
  $('control').textContent = !can ? 'Watching' : held ? 'Hand back' : 'Take over';
  $('control').title = held ? 'Scripts wait until you hand back' : 'Makes scripts wait while you work';
  $('control').onclick = () => say({ type: 'control', action: held ? 'return' : 'take' });
  $('message').hidden = !state.handoff.message;
  $('message').textContent = state.handoff.message ?? '';
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
    say({ type: 'dialog', dialogId: dialog.id, action, ...prompt });
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
  say({ type: 'visit', url: $('address').value });
  screen.focus();
};
for (const to of ['back', 'forward', 'reload']) $(to).onclick = () => say({ type: 'go', to });
listenToHands({
  screen,
  keys: $('keys'),
  say,
  allowed: () => mode === 'control',
  size: () => frame,
});
// whoever frames this page, or the person in it, has put another token there
addEventListener('hashchange', () => socket.readyState === WebSocket.CLOSED && connect());
connect();

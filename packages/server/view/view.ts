// The viewer: the page behind a signed live address. It uses the live socket and nothing else; everything from the watched
// page (titles, addresses, messages) is shown as text, never as markup. The token is in the fragment, which no server sees.
import type { ToldMessage, ViewState } from '../src/page/view/told.ts';
import { openClipboard } from './clipboard.ts';
import { showDialogs } from './dialogs.ts';
import { $ } from './elements.ts';
import { hearEmbedder, isInDashboard, tellEmbedder } from './embedding.ts';
import { sendInput } from './input.ts';
import { layOut } from './layout.ts';
import type { Send, Size } from './parts.ts';
import { pickersOn } from './picker.ts';
import { pictureOn } from './picture.ts';

type Told<Type> = Extract<ToldMessage, { type: Type }>;

const browserId = location.pathname.split('/').pop();
const screen = $('screen');
let socket: WebSocket | undefined;
let state: ViewState | undefined;
let mode: Told<'welcome'>['mode'] = 'view';
let frame: Size = { width: 1280, height: 720 };
let delay = 500;
let timer: number | undefined;
let isToTakeOver = false;
let shownTabs = '';
let shownUrl: string | undefined = '';
let refusedAddress = '';
let toldHandoff = '';
let statusTimer: number | undefined;
const statusMs = 6000;

const send: Send = (message) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
};
const status = (text: string): void => {
  clearTimeout(statusTimer);
  $('status').textContent = text;
};
/** Told for a while, over the picture. */
const tell = (text: string): void => {
  status(text);
  statusTimer = setTimeout(() => status(''), statusMs);
};

/** Read each time, because a page that frames this one may set a fresh token before the old one expires. */
function address(): string {
  const base = location.href.replace(/\/live\/[^/]*$/, '');
  const token = location.hash.slice(1);
  return `${base}/v1/browsers/${browserId}/live?token=${encodeURIComponent(token)}`;
}

/** Where a file that was picked for the page is uploaded to. */
const uploadAddress = (name: string): string =>
  `${address().replace('/live?', '/files?')}&name=${encodeURIComponent(name)}`;

const draw = pictureOn(screen, {
  onFrame: (shown) => {
    frame = shown;
    fitIn();
  },
  onDone: () => send({ type: 'ready' }),
});
const pickers = pickersOn({ screen, size: () => frame, send, addressOf: uploadAddress });

function connect(): void {
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

/** By the close codes after which there is nothing to reconnect to. */
const finals: Record<number, string> = { 4001: 'browserClosed', 4004: 'keyRevoked', 4005: 'tabClosed' };
const over = (reason: string, message: string): void => {
  status(message);
  tellEmbedder('closed', { reason, message });
};

/** Closed, revoked and expired are final; after anything else the viewer reconnects to the same address. */
async function reconnect(code: number, reason: string, wasOpen: boolean): Promise<void> {
  pickers.closeAll();
  toldHandoff = '';
  const final = finals[code];
  if (final) return over(final, reason);
  const closed = socket;
  const refusal = wasOpen ? undefined : await refusalOf(address());
  // reconnected with a fresh token meanwhile
  if (socket !== closed) return;
  if (refusal) return over(...refusal);
  if (wasOpen) tellEmbedder('disconnected', { reason: code === 4000 ? 'stopped' : 'lost' });
  status(code === 4000 ? 'The browser is stopped. Waiting for it to be resumed…' : 'Connecting again…');
  timer = setTimeout(connect, delay);
  delay = Math.min(delay * 2, 10_000);
}

interface Failure {
  error?: { code: string; nextStep: string; message: string };
}

/** A WebSocket does not say why it was refused; a plain request to the same address does. Undefined: it may work later. */
async function refusalOf(url: string): Promise<[reason: string, message: string] | undefined> {
  const answer = await fetch(url).catch(() => undefined);
  if (answer?.status === 401)
    return ['expired', 'This address has expired or is no longer valid. Ask for a new one where you got it.'];
  const { error }: Failure = (await answer?.json().catch(() => undefined)) ?? {};
  if (error?.code !== 'BROWSER_NOT_FOUND' && error?.nextStep !== 'create_browser') return undefined;
  return ['browserClosed', error.message];
}

function receive(message: ToldMessage): void {
  if (message.type === 'welcome') welcome(message);
  if (message.type === 'refused') refused(message);
  if (message.type === 'clipboard') clipboard.receive(message.text);
  if (message.type === 'picker') pickers.show(message.picker);
  if (message.type === 'pickerClosed') pickers.close(message.pickerId);
  if (message.type !== 'state') return;
  state = message;
  showTabs(message);
  showControl(message);
  takeOver(message);
  tellHandoff(message);
  showFailure();
  showDialog(message.dialogs.find(({ tabId }) => tabId === message.activeTabId) ?? message.dialogs[0]);
  showDownloads(message);
}

function welcome({ browserId: id, mode: allowed, tabId }: Told<'welcome'>): void {
  mode = allowed;
  // an address for one tab has no others to show
  $('tabs').hidden = tabId !== undefined;
  tellEmbedder('ready', { browserId: id, mode, ...(tabId !== undefined && { tabId }) });
}

/** Who drives, at the beginning and with each change. */
function tellHandoff({ handoff: all }: ViewState): void {
  const { since, ...handoff } = all;
  const told = JSON.stringify(all);
  if (told !== toldHandoff) tellEmbedder('handoff', handoff);
  toldHandoff = told;
}

function refused({ what, message }: Told<'refused'>): void {
  if (what !== 'visit') tell(message);
  else {
    refusedAddress = message;
    showFailure();
  }
}

/** What is wrong with an address is told where it was typed: Chromium draws an empty page, or one of its own. */
function showFailure(): void {
  const failed = state?.failed?.message ?? '';
  const text = refusedAddress || failed;
  stage.classList.toggle('failed', failed !== '');
  $('trouble').hidden = !text;
  if ($('trouble').textContent !== text) $('trouble').textContent = text;
  if (text) $('address').setAttribute('aria-invalid', 'true');
  else $('address').removeAttribute('aria-invalid');
}

const button = (text: string, label: string, act: () => void): HTMLButtonElement => {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.title = label;
  made.setAttribute('aria-label', label);
  made.disabled = mode !== 'control';
  made.onclick = act;
  return made;
};

function showTabs({ tabs: all, activeTabId }: ViewState): void {
  const active = all.find(({ tabId }) => tabId === activeTabId);
  if (document.activeElement !== $('address')) $('address').value = active?.url ?? '';
  if (shownUrl !== active?.url) refusedAddress = '';
  shownUrl = active?.url;
  screen.setAttribute('aria-label', `The page, as a picture: ${active?.title || active?.url || 'no tab'}`);
  // made anew only when they changed, and the focus stays where it was: a person may be walking through them
  const shown = JSON.stringify([all, activeTabId, mode]);
  if (shown === shownTabs) return;
  shownTabs = shown;
  const buttons: (Element | null)[] = [...$('tabs').querySelectorAll('button')];
  const focused = buttons.indexOf(document.activeElement);
  const tabs = all.map(({ tabId, title, url }) => {
    const tab = document.createElement('li');
    if (tabId === activeTabId) tab.setAttribute('aria-current', 'page');
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
  if (focused >= 0) $('tabs').querySelectorAll('button')[focused]?.focus();
}

function showControl({ handoff }: ViewState): void {
  const isControlled = handoff.state === 'person';
  const can = mode === 'control';
  for (const id of ['back', 'forward', 'reload', 'address', 'keys', 'keyboard', 'copy', 'paste'] as const)
    $(id).disabled = !can;
  $('control').disabled = !can;
  $('control').textContent = !can ? 'Watching' : isControlled ? 'Hand back' : 'Take over';
  $('control').title = isControlled
    ? 'Scripts wait until you hand back'
    : 'Makes scripts wait while you work';
  $('control').onclick = () => send({ type: 'control', action: isControlled ? 'return' : 'take' });
  // the dashboard shows the message itself, beside its own button
  $('message').hidden = !handoff.message || (isInDashboard && can);
  $('message').textContent = handoff.message ?? '';
}

/** The page that frames this one has a button for it too, which may be pressed before there is a connection. */
function takeOver({ handoff }: ViewState): void {
  if (!isToTakeOver || mode !== 'control') return;
  isToTakeOver = false;
  if (handoff.state !== 'person') send({ type: 'control', action: 'take' });
  toPage();
}

function showDownloads({ downloads }: ViewState): void {
  const items = downloads.map(({ suggestedFilename, state: how, receivedBytes, totalBytes }) => {
    const item = document.createElement('li');
    const share = totalBytes ? ` ${Math.floor((100 * receivedBytes) / totalBytes)} %` : '';
    item.textContent = `⬇ ${suggestedFilename} · ${how === 'inProgress' ? `downloading${share}` : how}`;
    return item;
  });
  $('downloads').replaceChildren(...items);
}

$('bar').onsubmit = (event) => {
  event.preventDefault();
  refusedAddress = '';
  send({ type: 'visit', url: $('address').value });
  toPage();
};
for (const to of ['back', 'forward', 'reload'] as const) $(to).onclick = () => send({ type: 'go', to });
const keys = $('keys');
const stage = $('stage');
const toPage = (): void => keys.focus({ preventScroll: true });
const allowed = (): boolean => mode === 'control';
const size = (): Size => frame;
const clipboard = openClipboard({ send, notice: $('notice'), keys });
const showDialog = showDialogs({ send, allowed });
const { fitIn, zoom } = layOut({ screen, stage, full: $('full'), fit: $('fit'), size });
sendInput({ screen, keys, send, allowed, size, zoom, clipboard, leave: () => $('control').focus() });
$('copy').onclick = () => clipboard.copy();
$('paste').onclick = () => clipboard.pasteOwn();
// a button takes the focus when it is pressed, and with it the on-screen keyboard
for (const id of ['keyboard', 'copy', 'paste', 'fit', 'full'] as const)
  $(id).addEventListener('pointerdown', (event) => event.preventDefault());
$('keyboard').onclick = () => (document.activeElement === keys ? keys.blur() : toPage());
for (const type of ['focus', 'blur'] as const)
  keys.addEventListener(type, () => $('keyboard').setAttribute('aria-pressed', String(type === 'focus')));
hearEmbedder({
  takeOver() {
    isToTakeOver = true;
    if (state && socket?.readyState === WebSocket.OPEN) takeOver(state);
  },
  handBack() {
    isToTakeOver = false;
    if (state?.handoff.state === 'person') send({ type: 'control', action: 'return' });
  },
});
// the page that frames this one, or the person, has set another token
addEventListener('hashchange', () => socket?.readyState === WebSocket.CLOSED && connect());
connect();

/**
 * For the page that shows a live view in a frame: the frame, and messages with it. It runs in a web browser, needs no key, and
 * knows the service only by the address that it is given:
 *
 *   your server ──live({ frameAncestors })──> url ──> embedLiveView in your page <──postMessage──> the viewer
 *
 * The viewer speaks to the origins that its address was made for alone; here only the viewer's own frame is listened to.
 */

/** The web browser's own type of a frame; programs that are checked without a DOM have the other types all the same. */
type FrameElement = typeof globalThis extends { HTMLIFrameElement: { prototype: infer Element } }
  ? Element
  : object;

interface Messages {
  addEventListener(type: 'message', hear: (event: MessageEvent) => void): void;
  removeEventListener(type: 'message', hear: (event: MessageEvent) => void): void;
}

/** What is used of the element in which the frame is put. */
interface Place {
  readonly ownerDocument: { createElement(tag: 'iframe'): object; readonly defaultView: Messages | null };
  append(frame: FrameElement): void;
}

/** What is used of the frame. */
interface Frame {
  title: string;
  allow: string;
  referrerPolicy: string;
  style: { cssText: string };
  src: string;
  contentWindow: { postMessage(message: unknown, targetOrigin: string): void } | null;
  remove(): void;
}

/** Who drives the browser, told at the beginning and with each change. `ended` says how the last hand-over came to its end. */
export interface LiveHandoff {
  state: 'scripts' | 'requested' | 'person';
  ended?: 'returned' | 'withdrawn' | 'left';
  /** What the person is asked to do. */
  message?: string;
}

export interface LiveFrameOptions {
  /** What the frame is called for screen readers. */
  title?: string;
  /** The viewer is connected, for the first time or again. */
  onReady?(ready: { browserId: string; mode: 'view' | 'control'; tabId?: string }): void;
  onHandoff?(handoff: LiveHandoff): void;
  /** The line broke, or the browser was stopped. The viewer connects again by itself. */
  onDisconnected?(why: { reason: 'stopped' | 'lost' }): void;
  /** There is nothing to be seen at this address any more; `renew` helps where it has expired. */
  onClosed?(why: { reason: 'browserClosed' | 'tabClosed' | 'keyRevoked' | 'expired'; message: string }): void;
}

export interface LiveFrame extends Disposable {
  readonly frame: FrameElement;
  /** Makes scripts wait while the person works; needs an address with `mode: 'control'`. */
  takeOver(): void;
  handBack(): void;
  /** Goes on with a fresh address of the same browser and the same `frameAncestors`, without loading the frame anew. */
  renew(url: string): void;
  remove(): void;
}

/** Shows the live view of this address inside the element, as large as that is. */
export function embedLiveView(place: Place, url: string, options: LiveFrameOptions = {}): LiveFrame {
  const { origin } = new URL(url);
  const { defaultView: window } = place.ownerDocument;
  if (!window) throw new TypeError('The element is in no window, so nothing can be shown in it.');
  const element = place.ownerDocument.createElement('iframe') as FrameElement;
  const frame = element as unknown as Frame;
  frame.title = options.title ?? 'Live view of the browser';
  frame.allow = 'clipboard-read; clipboard-write; fullscreen';
  frame.referrerPolicy = 'no-referrer';
  frame.style.cssText = 'width: 100%; height: 100%; border: 0';
  frame.src = url;

  const hear = ({ source, origin: from, data }: MessageEvent): void => {
    if (source === null || source !== frame.contentWindow || from !== origin || data?.from !== 'browserd')
      return;
    const { from: _from, type, ...facts } = data;
    if (type === 'ready') options.onReady?.(facts);
    else if (type === 'handoff') options.onHandoff?.(facts);
    else if (type === 'disconnected') options.onDisconnected?.(facts);
    else if (type === 'closed') options.onClosed?.(facts);
  };
  const ask = (type: string): void => frame.contentWindow?.postMessage({ to: 'browserd', type }, origin);
  const remove = (): void => {
    window.removeEventListener('message', hear);
    frame.remove();
  };
  window.addEventListener('message', hear);
  place.append(element);
  return {
    frame: element,
    takeOver: () => ask('takeOver'),
    handBack: () => ask('handBack'),
    renew(fresh) {
      if (new URL(fresh).origin !== origin)
        throw new TypeError(`The fresh address is of another service than ${origin}.`);
      frame.src = fresh;
    },
    remove,
    [Symbol.dispose]: remove,
  };
}

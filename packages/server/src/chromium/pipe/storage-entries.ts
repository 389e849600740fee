/**
 * Local storage as Chromium gives it, unread: `[["key","value"],…]` in bytes. A page decides how large it is, and it is only
 * carried to where it is kept.
 */
import type { Cdp } from './cdp.ts';

const head = Buffer.from('"result":{"entries":');
const tail = Buffer.from('},"sessionId":"');
/** `{"id":1000000007,` */
const farthestHead = 32;

/** Undefined when the page does not answer in time, or has no such storage. */
export function readEntries(
  cdp: Cdp,
  asked: { origin: string; sessionId: string; timeoutMs: number },
): Promise<Buffer | undefined> {
  const { origin: securityOrigin, sessionId, timeoutMs } = asked;
  const params = { storageId: { securityOrigin, isLocalStorage: true } };
  return new Promise((resolve) => {
    const sent = cdp.relay(
      { method: 'DOMStorage.getDOMStorageItems', params, sessionId },
      (answer) => {
        clearTimeout(timer);
        resolve(entriesOf(answer));
      },
      () => undefined,
    );
    const timer = setTimeout(() => {
      if (sent) cdp.forget(sent.id);
      resolve(undefined);
    }, timeoutMs);
  });
}

export function entriesOf(answer: Buffer): Buffer | undefined {
  const at = answer.subarray(0, farthestHead + head.length).indexOf(head);
  const end = answer.lastIndexOf(tail);
  return at === -1 || end < at ? undefined : Buffer.from(answer.subarray(at + head.length, end));
}

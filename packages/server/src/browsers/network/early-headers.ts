/** Headers as they are on the wire, which Chromium may tell of before the request they belong to. The oldest go first. */
export type Side = 'sent' | 'received';

const most = 100;
const longest = 64 * 1024;

export class EarlyHeaders {
  readonly #kept = new Map<string, Partial<Record<Side, Buffer>>>();

  keep(requestId: string, side: Side, message: Buffer): void {
    if (message.length > longest) return;
    // A copy: the message is a part of all that was read at once.
    this.#kept.set(requestId, { ...this.#kept.get(requestId), [side]: Buffer.from(message) });
    if (this.#kept.size <= most) return;
    const [oldest = ''] = this.#kept.keys();
    this.#kept.delete(oldest);
  }

  take(requestId: string): [Side, Buffer][] {
    const found = this.#kept.get(requestId) ?? {};
    this.#kept.delete(requestId);
    return Object.entries(found) as [Side, Buffer][];
  }
}

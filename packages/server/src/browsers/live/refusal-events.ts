/**
 * Refused connections as events. A page can be refused thousands of things: beyond so many in a while they are counted by
 * host, and told as one event with the hosts and their numbers. So every refusal is told or counted, and none is silent.
 */
import type { Refusal } from '../../egress/egress.ts';
import { FloodWindow } from '../../kit/flood-window.ts';

const windowMs = 10_000;
/** In one event; a page can make up names without end. */
const mostHosts = 100;

export class RefusalEvents {
  readonly #tell: (data: Record<string, unknown>) => void;
  readonly #window: FloodWindow;
  readonly #hosts = new Map<string, number>();
  #suppressed = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(mostNoted: number, tell: (data: Record<string, unknown>) => void) {
    this.#tell = tell;
    this.#window = new FloodWindow(mostNoted, windowMs);
  }

  add(refusal: Refusal): void {
    if (this.#window.admits()) {
      this.#tell({ ...refusal });
      return;
    }
    this.#suppressed++;
    const { host } = refusal;
    const known = this.#hosts.get(host);
    if (known !== undefined || this.#hosts.size < mostHosts) this.#hosts.set(host, (known ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.flush(), windowMs).unref();
  }

  /** Tells now of what was counted, if anything was. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const suppressed = this.#suppressed;
    if (suppressed === 0) return;
    const hosts = [...this.#hosts]
      .map(([host, count]) => ({ host, count }))
      .sort((a, b) => b.count - a.count);
    const otherHosts = suppressed - hosts.reduce((sum, { count }) => sum + count, 0);
    this.#suppressed = 0;
    this.#hosts.clear();
    this.#tell({ suppressed, hosts, ...(otherHosts > 0 && { otherHosts }) });
  }
}

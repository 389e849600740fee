/**
 * Many clients on one pipe. The service speaks at the root; every client gets a browser session of its own there, and
 * all it opens hangs below that:
 *
 *   client A ──{id: 7, method, …}──> filter ──{id: 1000000042, sessionId: A…}──┐
 *   client B ──{id: 7, method, …}──> filter ──{id: 1000000043, sessionId: B…}──┼── pipe ── Chromium
 *   the service ─────────────────────────────{id: 12, …}──────────────────────┘
 *
 * To the client its browser session looks like the root; to one that came for a single page (`targetId`), the session
 * of that page does, and of the browser session above it the client hears nothing. When it leaves, its browser session is
 * closed and with it all below: interception, emulation, paused debuggers, browser contexts. Only what belongs to the
 * browser stays (permissions, where downloads go), because the service set it in the client's name.
 *
 * Emulation: Chromium does not go back to what the service had set when a client's override ends. The room that
 * closes a client sets it again.
 */
import type { Cdp } from './cdp.ts';
import { MuxClient } from './client.ts';
import type { ClientOptions } from './client-options.ts';

export type { FilterRules } from '../filter/filter.ts';
export type { ClientOptions } from './client-options.ts';

export interface CdpClient {
  /**
   * One message of the client. Never throws: what is malformed or refused is answered with an error.
   * False: take no more from the client until `onDrain`.
   */
  send(message: string | Buffer): boolean;
  /** Whether it is told what happens in this page, such as its dialogs. */
  hears(targetId: string): boolean;
  /** Ends it and all it opened; resolves when Chromium has confirmed, or is gone. */
  close(): Promise<void>;
}

export async function openClient(cdp: Cdp, options: ClientOptions): Promise<CdpClient> {
  const { sessionId } = await cdp.send('Target.attachToBrowserTarget');
  const client = new MuxClient(cdp, sessionId, options);
  if (options.targetId === undefined) return client;
  try {
    await client.enter(options.targetId);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

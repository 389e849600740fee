/**
 * A CDP client on a WebSocket. A client that does not read is disconnected, because Chromium's pipe is shared; while
 * Chromium does not read, nothing is read from the client either.
 *
 *   client ──frames──> ws ──send()──> attachment ─> filter ─> Chromium       send() is false: ws is paused
 *   client <──frames── ws <──onMessage── attachment <────────────┘            too much waits: 4003
 */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Principal } from '../../access/access.ts';
import { ApiError } from '../../errors.ts';
import type { Attachment, Attachments, Visitor } from '../../page/page.ts';
import { closeCodeOf, closeWithoutKey, type SocketParts } from './closing.ts';
import { hearInTurns } from './hear-in-turns.ts';
import { LargeMessages } from './large-messages.ts';
import { wantsUpgrade } from './upgrade.ts';

export interface CdpSocketParts extends SocketParts {
  attachments: Pick<Attachments, 'attach'>;
}

/** Fails, while the request can still be answered, when the client may not attach. */
export async function openCdpSocket(
  parts: CdpSocketParts,
  request: IncomingMessage,
  caller: Principal & { browserId: string; requestId: string; targetId?: string },
): Promise<void> {
  const { sockets } = parts;
  if (!wantsUpgrade(request))
    throw new ApiError(
      'UPGRADE_REQUIRED',
      'This address is a WebSocket. Connect with a CDP client (Playwright, Puppeteer) or any WebSocket client.',
      { headers: { upgrade: 'websocket', connection: 'upgrade, close' } },
    );
  sockets.refuseWhileClosing();
  let socket: WebSocket | undefined;
  let goOn = (): void => undefined;
  const visitor: Visitor = {
    onMessage: (message) => socket && sockets.send(socket, message),
    onDrain: () => goOn(),
    waitingBytes: () => (socket ? sockets.waitingBytes(socket) : 0),
    onEnd: (why) => socket?.close(closeCodeOf[why]),
  };
  const { projectId, browserId, targetId } = caller;
  const attachment = await parts.attachments.attach(projectId, browserId, visitor, targetId);
  // No await from here to the end, so that no message is sent before the socket is there.
  const onBeat = () => void closeWithoutKey(parts, caller, socket);
  const large = new LargeMessages(caller.projectId);
  socket = sockets.open(request, { requestId: caller.requestId, says: 'much', onBeat, large });
  if (socket) goOn = join(parts, caller, socket, { attachment, large });
  else await attachment.close();
}

function join(
  { log }: CdpSocketParts,
  { browserId, keyId }: Principal & { browserId: string },
  socket: WebSocket,
  { attachment, large }: { attachment: Attachment; large: LargeMessages },
): () => void {
  const startedAt = performance.now();
  const goOn = hearInTurns(
    socket,
    large.share,
    (data) => attachment.send(data as Buffer),
    (bytes) => large.taken(bytes),
  );
  socket.once('close', (code) => {
    void attachment.close();
    log.info({ browserId, keyId, code, ms: Math.round(performance.now() - startedAt) }, 'cdp.disconnected');
  });
  return goOn;
}

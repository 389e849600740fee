/**
 * The socket of a viewer, which shows a browser to a person: pictures as binary messages, everything else as JSON
 * texts.
 *
 *   picture: 4 bytes, length of the header (big-endian) · header, JSON {tabId, width, height, at} · a JPEG
 */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Principal } from '../../access/access.ts';
import { ApiError } from '../../errors.ts';
import type { Frame, View, Views } from '../../page/page.ts';
import { closeCodeOf, closeWithoutKey, type SocketParts } from './closing.ts';
import { hearInTurns } from './hear-in-turns.ts';
import { LargeMessages } from './large-messages.ts';
import { wantsUpgrade } from './upgrade.ts';

export interface ViewSocketParts extends SocketParts {
  views: Pick<Views, 'open' | 'refuseAbsent'>;
  /** What a page shows in its title or address may be the value of a secret. */
  masks: { deep<T>(projectId: string, value: T): T };
}

const mostWaitingBytes = 8 * 1024 ** 2;

/** Fails, while the request can still be answered, when the viewer may not connect. */
export async function openViewSocket(
  parts: ViewSocketParts,
  request: IncomingMessage,
  requestId: string,
  viewer: Principal & { browserId: string; mode: 'view' | 'control'; tabId?: string },
): Promise<void> {
  const { sockets, log } = parts;
  if (!wantsUpgrade(request)) {
    // A page whose socket was refused asks again like this: a WebSocket does not tell a page why.
    await parts.views.refuseAbsent(viewer.projectId, viewer.browserId);
    throw new ApiError(
      'UPGRADE_REQUIRED',
      'This address is a WebSocket. Open the `url` of a capability of the kind `live` to watch in a web browser.',
      { headers: { upgrade: 'websocket', connection: 'upgrade' } },
    );
  }
  sockets.refuseWhileClosing();
  const waiting: (() => void)[] = [];
  let socket: WebSocket | undefined;
  // Messages from before the socket is there are sent as soon as it is.
  const say = (send: (to: WebSocket) => void): void => {
    if (socket) send(socket);
    else waiting.push(() => socket && send(socket));
  };
  // A viewer confirms pictures that it has not read, and says what is answered.
  const sayIfRead = (bytes: () => Buffer, binary: boolean): void =>
    say((to) => {
      if (sockets.waitingBytes(to) > mostWaitingBytes) to.close(closeCodeOf.slow);
      else sockets.send(to, bytes(), binary);
    });
  const textOf = (message: object): Buffer =>
    Buffer.from(JSON.stringify(parts.masks.deep(viewer.projectId, message)));
  const view = await parts.views.open(viewer.projectId, viewer.browserId, viewer, {
    tell: (message) => sayIfRead(() => textOf(message), false),
    show: (frame) => sayIfRead(() => pack(frame), true),
    onEnd: (why) => say((to) => to.close(closeCodeOf[why])),
  });
  const onBeat = () => void closeWithoutKey(parts, viewer, socket);
  const large = new LargeMessages(viewer.projectId);
  socket = sockets.open(request, { requestId, says: 'little', onBeat, large });
  if (!socket) return view.close();
  for (const said of waiting) said();
  log.info({ browserId: viewer.browserId, keyId: viewer.keyId, mode: viewer.mode }, 'live.connected');
  listen(socket, large, view, (error) =>
    log.error({ err: error, browserId: viewer.browserId }, 'live.failed'),
  );
}

/** Commands are sent in the order in which they came; a command without an answer yet does not hold up the next. */
function listen(
  socket: WebSocket,
  large: LargeMessages,
  view: View,
  onError: (error: unknown) => void,
): void {
  const goOn = hearInTurns(
    socket,
    large.share,
    (data, isBinary) => {
      if (isBinary) {
        socket.close(1009);
        return true;
      }
      const { read, done } = view.hear(data as Buffer);
      done.catch(onError);
      read?.then(goOn, goOn);
      return read === undefined;
    },
    (bytes) => large.taken(bytes),
  );
  socket.once('close', () => view.close());
}

/** A frame goes to all viewers in the same bytes. */
const packed = new WeakMap<Frame, Buffer>();

function pack(frame: Frame): Buffer {
  const known = packed.get(frame);
  if (known) return known;
  const { jpeg, ...about } = frame;
  const header = Buffer.from(JSON.stringify(about));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  const bytes = Buffer.concat([length, header, jpeg]);
  packed.set(frame, bytes);
  return bytes;
}

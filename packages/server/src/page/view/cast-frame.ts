/**
 * A frame of a screencast out of Chromium's message. Nearly all of the message is the picture, in base64, so only what
 * comes after it is parsed: a picture is decoded once and never becomes a string of the service's own.
 */
export interface CastFrame {
  jpeg: Buffer;
  /** The page's own size in CSS pixels. */
  width: number;
  height: number;
  /** What the acknowledgement has to name. */
  castId: number;
  sessionId: string;
}

interface Rest {
  params: { metadata: { deviceWidth: number; deviceHeight: number }; sessionId: number };
  sessionId: string;
}

/** The same out of an event that was parsed. */
export function castFrameOf({
  params: said,
  sessionId = '',
}: {
  params: object;
  sessionId?: string;
}): CastFrame {
  const params = said as Rest['params'] & { data: string };
  const { deviceWidth: width, deviceHeight: height } = params.metadata;
  return { jpeg: Buffer.from(params.data, 'base64'), width, height, castId: params.sessionId, sessionId };
}

const head = Buffer.from('{"method":"Page.screencastFrame","params":{"data":"');
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];

/** Undefined: it is another message, or written in another order than Chromium does. */
export function readCastFrame(message: Buffer): CastFrame | undefined {
  if (message.length < head.length || head.compare(message, 0, head.length) !== 0) return undefined;
  const end = message.indexOf(quote, head.length);
  const escaped = message.indexOf(backslash, head.length);
  if (end < 0 || message[end + 1] !== comma || (escaped >= 0 && escaped < end)) return undefined;
  const { params, sessionId } = JSON.parse(`{"params":{${message.toString('utf8', end + 2)}`) as Rest;
  const { deviceWidth: width, deviceHeight: height } = params.metadata;
  const jpeg = Buffer.from(message.toString('latin1', head.length, end), 'base64');
  return { jpeg, width, height, castId: params.sessionId, sessionId };
}

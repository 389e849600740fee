/**
 * The network as a client would see it without the exit. Chromium takes the exit for the other end of every connection and
 * every failure for one of its proxy. What it says of that is changed on its way to the client:
 *
 *   Network.responseReceived             the address of the exit       ──> the address that the exit dialled, or none
 *   Network.requestWillBeSentExtraInfo   Proxy-Connection              ──> Connection
 *   Network.requestWillBeSentExtraInfo   what the service answered     ──> •••
 *   Network.loadingFailed and the like   ERR_TUNNEL_CONNECTION_FAILED  ──> why the exit got no connection
 *   the same                             ERR_CERT_AUTHORITY_INVALID    ──> what else the exit, which knows it, found wrong
 *
 * Messages are changed as bytes, unparsed: a page can put any text into values, but there its quotes are escaped, so that
 * marks like `"errorText":"` are always Chromium's own.
 */
import { masked } from '../../kit/mask-headers.ts';

/** What became of the exit's last connections to the place of an address. */
export type OutcomeOf = (url: string) =>
  | {
      address?: { ip: string; port: number };
      netError?: string | undefined;
      /** Why its certificate, or the one that it was shown, was not taken, where the service knows. */
      certificateError?: string | undefined;
    }
  | undefined;

/** Of one client, at most: requests that have not ended. */
const mostRequests = 2000;
/** Where in a message an address is looked for: a page decides how long some are. */
const searchedBytes = 64 * 1024;
const longestId = 200;
/** Of a scheme, a host and a port. */
const longestPlace = 300;

const ofTunnel = new Set(['ERR_TUNNEL_CONNECTION_FAILED']);
/** A plain request has no tunnel: the exit just hangs up, with or without having read all of it. */
const ofPlain = new Set(['ERR_EMPTY_RESPONSE', 'ERR_CONNECTION_CLOSED', 'ERR_CONNECTION_RESET']);

/** What Chromium says where it does not know the authority, was told no reason, or was hung up on because of a certificate. */
const ofCertificate = new Set(['ERR_ABORTED', 'ERR_CERT_AUTHORITY_INVALID', ...ofPlain]);

/** The true name of what Chromium calls so, where that is known and another one. */
export function trueError(name: string, url: string, outcomeOf: OutcomeOf): string | undefined {
  if (ofCertificate.has(name) && /^(https|wss):/.test(url)) return outcomeOf(url)?.certificateError;
  if (!(url.startsWith('http:') ? ofPlain : ofTunnel).has(name)) return undefined;
  const known = outcomeOf(url)?.netError;
  return known === name ? undefined : known;
}

const splice = (message: Buffer, from: number, to: number, text: string): Buffer =>
  Buffer.concat([message.subarray(0, from), Buffer.from(text), message.subarray(to)]);

/** The text behind a mark up to the next quote, if it is short. */
function textBehind(message: Buffer, mark: string, longest: number): string | undefined {
  const found = message.subarray(0, searchedBytes).indexOf(mark);
  if (found < 0) return undefined;
  const text = message.toString('latin1', found + mark.length, found + mark.length + longest);
  const end = text.indexOf('"');
  return end < 0 ? undefined : text.slice(0, end);
}

/** Scheme, host and port of the address behind a mark, however long the rest of it is. */
function placeBehind(message: Buffer, mark: string): string | undefined {
  const found = message.subarray(0, searchedBytes).indexOf(mark);
  if (found < 0) return undefined;
  const start = found + mark.length;
  return /^(?:https?|wss?):\/\/[^/?#"\\]+/.exec(message.toString('latin1', start, start + longestPlace))?.[0];
}

const requestMark = '"params":{"requestId":"';
const networkMark = '"networkId":"';
/** Leads to no place of which anything is known. */
const nowhere = '';
const noTunnel = 'Establishing a tunnel via proxy server failed.';
const addressMark = ',"remoteIPAddress":"';

function keep(ids: Map<string, string>, id: string, value: string): void {
  ids.set(id, value);
  if (ids.size <= mostRequests) return;
  const [oldest = ''] = ids.keys();
  ids.delete(oldest);
}

export class NetworkView {
  readonly #outcomeOf: OutcomeOf;
  /** Where each request goes, by its id; for a navigation that is the id of its loader. */
  readonly #places = new Map<string, string>();
  /** The same ids, by what Chromium calls a request that waits for the client's word. */
  readonly #held = new Map<string, string>();
  readonly #changes: ReadonlyMap<string, (message: Buffer) => Buffer>;

  /** Without an exit that can tell, everything is left as it is. */
  constructor(outcomeOf: OutcomeOf | undefined, secretHeaders: () => readonly string[] = () => []) {
    this.#outcomeOf = outcomeOf ?? (() => undefined);
    this.#changes = new Map(
      outcomeOf && [
        ['Network.requestWillBeSent', (message) => this.#sent(message)],
        ['Network.webSocketCreated', (message) => this.#note(message, '"url":"')],
        [
          'Network.requestWillBeSentExtraInfo',
          (message) => withoutSecrets(withoutProxy(message), secretHeaders()),
        ],
        ['Fetch.requestPaused', (message) => this.#hold(message)],
        ['Network.responseReceived', (message) => this.#addressed(message, '"response":{"url":"')],
        ['Network.loadingFinished', (message) => this.#forget(message)],
        ['Network.webSocketClosed', (message) => this.#forget(message)],
        ['Network.loadingFailed', (message) => this.#failed(message, '"errorText":"')],
        ['Network.webSocketFrameError', (message) => this.#failed(message, '"errorMessage":"')],
        ['Log.entryAdded', (message) => this.#logged(message)],
      ],
    );
  }

  /** An event as the client should hear it. */
  event(method: string, message: Buffer): Buffer {
    return this.#changes.get(method)?.(message) ?? message;
  }

  /** The client ends a request for a reason of its own, which is the true one. */
  ended(heldId: unknown): void {
    const id = this.#held.get(String(heldId));
    if (id !== undefined) keep(this.#places, id, nowhere);
  }

  /** The answer to a command, which was to go to this address if to any. */
  arrival(answer: Buffer, url: string | undefined): Buffer {
    if (url === undefined) return answer;
    const loader = textBehind(answer, '"loaderId":"', longestId);
    return this.#named(answer, '"errorText":"', this.#places.get(loader ?? '') ?? url);
  }

  #sent(message: Buffer): Buffer {
    const before = this.#addressed(message, '"redirectResponse":{"url":"');
    return this.#note(before, '"request":{"url":"');
  }

  #note(message: Buffer, mark: string): Buffer {
    const id = textBehind(message, requestMark, longestId);
    const place = placeBehind(message, mark);
    if (id !== undefined && place !== undefined) keep(this.#places, id, place);
    return message;
  }

  #hold(message: Buffer): Buffer {
    const heldId = textBehind(message, requestMark, longestId);
    // behind all that a page decides
    const end = message.subarray(Math.max(0, message.lastIndexOf(networkMark)));
    const id = textBehind(end, networkMark, longestId);
    if (heldId !== undefined && id !== undefined) keep(this.#held, heldId, id);
    return message;
  }

  #forget(message: Buffer): Buffer {
    this.#places.delete(textBehind(message, requestMark, longestId) ?? '');
    return message;
  }

  #addressed(message: Buffer, mark: string): Buffer {
    for (let at = message.indexOf(addressMark); at >= 0; at = message.indexOf(addressMark, at + 1)) {
      const start = at + addressMark.length;
      const found = /^[^"]+","remotePort":\d+/.exec(message.toString('latin1', start, start + 100));
      // a header of that name has a text for its value
      if (!found) continue;
      const place = placeBehind(message.subarray(message.lastIndexOf(mark)), mark);
      const address = place === undefined ? undefined : this.#outcomeOf(place)?.address;
      const text = address ? `${addressMark}${shown(address.ip)}","remotePort":${address.port}` : '';
      return splice(message, at, start + found[0].length, text);
    }
    return message;
  }

  /** Remains known: the answer to the command that began it comes later. */
  #failed(message: Buffer, mark: string): Buffer {
    const place = this.#places.get(textBehind(message, requestMark, longestId) ?? '');
    return place === undefined ? message : this.#named(message, mark, place);
  }

  #logged(message: Buffer): Buffer {
    const place =
      placeBehind(message, `"text":"WebSocket connection to '`) ??
      (message.includes('"text":"Failed to load resource: net::')
        ? placeBehind(message, '"url":"')
        : undefined);
    return place === undefined ? message : this.#named(message, '"text":"', place);
  }

  /** With the true name for what failed, in the text behind the mark. */
  #named(message: Buffer, mark: string, place: string): Buffer {
    const begin = Math.max(message.indexOf(mark), 0);
    const from = message.indexOf('net::ERR_', begin);
    if (from < 0) return this.#namedOfSocket(message, begin, place);
    const start = from + 'net::'.length;
    const [name = ''] = /^[A-Z0-9_]+/.exec(message.toString('latin1', start, start + 80)) ?? [];
    const known = trueError(name, place, this.#outcomeOf);
    return known === undefined ? message : splice(message, start, start + name.length, known);
  }

  /** Of a WebSocket Chromium says in words that it got no tunnel, and by its name why it got no connection. */
  #namedOfSocket(message: Buffer, begin: number, place: string): Buffer {
    const at = message.indexOf(noTunnel, begin);
    const known = at < 0 ? undefined : trueError('ERR_TUNNEL_CONNECTION_FAILED', place, this.#outcomeOf);
    return known === undefined
      ? message
      : splice(message, at, at + noTunnel.length, `Error in connection establishment: net::${known}`);
  }
}

/** Chromium sends the one to a proxy where it would send the other to a site. */
function withoutProxy(message: Buffer): Buffer {
  const at = message.indexOf('"Proxy-Connection":"');
  return at < 0 ? message : splice(message, at + 1, at + 1 + 'Proxy-'.length, '');
}

/** What the service answered to a site is not for the client. */
function withoutSecrets(message: Buffer, secrets: readonly string[]): Buffer {
  return secrets.reduce((cleaned, secret) => {
    const mark = `:"${secret}"`;
    const at = cleaned.indexOf(mark);
    return at < 0 ? cleaned : splice(cleaned, at, at + mark.length, `:"${masked}"`);
  }, message);
}

const shown = (ip: string): string => (ip.includes(':') ? `[${ip}]` : ip);

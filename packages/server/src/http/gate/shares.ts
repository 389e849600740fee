/**
 * How much one project and one key may have under way at the same time, so that one caller cannot take all connections of
 * the service. A socket or a stream of events counts until it closes, a request until it is answered. Those that come with a
 * signed address of content have a share of their own: a video that many people watch keeps no caller of the project away.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/access.ts';
import { ApiError } from '../../errors.ts';
import { type App, meantFor, placesOf } from '../wire/wire.ts';

export interface SharesConfig {
  maxConnections: number;
  maxRequestsPerProject: number | null;
  maxSocketsPerProject: number | null;
}

type What = 'requests' | 'sockets';
/** Beside other keys of its project. */
const shareOfKey = 3 / 4;
/** Of the requests of a project, beside all others. */
const shareOfContent = 1 / 2;
/** Of the reserve, for admin keys of one project. */
const shareOfReserve = 1 / 4;

export class Shares {
  readonly #app: Pick<App, 'server'>;
  readonly #most: Record<What, number>;
  readonly #used = new Map<string, number>();

  constructor(app: Pick<App, 'server'>, config: SharesConfig) {
    this.#app = app;
    const part = (of: number): number => Math.max(1, Math.floor(config.maxConnections * of));
    this.#most = {
      requests: config.maxRequestsPerProject ?? part(1 / 2),
      sockets: config.maxSocketsPerProject ?? part(1 / 4),
    };
  }

  /** For paths that need no key. */
  refuseStranger({ raw }: FastifyRequest): void {
    if (placesOf(this.#app.server).isCrowded(raw.socket)) throw crowded();
  }

  /** Throws when the caller has its share already. */
  enter(request: FastifyRequest, reply: FastifyReply): void {
    const { principal, raw, grant } = request;
    const isPassedOn = grant?.kind === 'content';
    const { socket } = request.routeOptions.config;
    const ends = socket ? raw.socket : reply.raw;
    const taken: string[] = [];
    const take = (name: string, most: number, refuse: () => ApiError): void => {
      const used = this.#used.get(name) ?? 0;
      if (used >= most) throw refuse();
      this.#used.set(name, used + 1);
      taken.push(name);
    };
    ends.once('close', () => {
      for (const name of taken) this.#giveBack(name);
    });
    if (isPassedOn) this.#countContent(principal, take);
    else this.#count('requests', principal, take);
    if (socket || isStream(request)) this.#count('sockets', principal, take);
    // A connection from another node takes none of the places for callers.
    if (meantFor(raw) !== undefined) return;
    const places = placesOf(this.#app.server);
    if (places.isCrowded(raw.socket)) {
      if (principal.role !== 'admin' || isPassedOn) throw crowded();
      take(`reserve ${principal.projectId}`, Math.ceil(places.reserve * shareOfReserve), crowded);
    }
    places.know(raw.socket);
  }

  #count(
    what: What,
    { keyId, projectId }: Principal,
    take: (name: string, most: number, refuse: () => ApiError) => void,
  ): void {
    const ofProject = this.#most[what];
    const ofKey = Math.ceil(ofProject * shareOfKey);
    take(`${what} ${projectId}`, ofProject, () => tooMany(what, 'project', ofProject));
    take(`${what} ${keyId}`, ofKey, () => tooMany(what, 'key', ofKey));
  }

  #countContent(
    { projectId }: Principal,
    take: (name: string, most: number, refuse: () => ApiError) => void,
  ): void {
    const most = Math.ceil(this.#most.requests * shareOfContent);
    take(`content ${projectId}`, most, () => tooMany('requests', 'project', most));
  }

  #giveBack(name: string): void {
    const left = (this.#used.get(name) ?? 1) - 1;
    if (left > 0) this.#used.set(name, left);
    else this.#used.delete(name);
  }
}

const isStream = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && /\btext\/event-stream\b/i.test(headers.accept ?? '');

const soon = { 'retry-after': '1' };

function tooMany(what: What, whose: 'project' | 'key', limit: number): ApiError {
  const details = { limit, of: whose, retryAfterSeconds: 1 };
  return what === 'requests'
    ? new ApiError(
        'RATE_LIMITED',
        `${limit} requests of this ${whose} are under way at the same time, and it may not have more. Wait for one of them, or ask the operator to raise BROWSERD_MAX_REQUESTS_PER_PROJECT.`,
        { details, headers: soon },
      )
    : new ApiError(
        'TOO_MANY_CLIENTS',
        `This ${whose} has ${limit} sockets and event streams open, and may not have more. Close one, or ask the operator to raise BROWSERD_MAX_SOCKETS_PER_PROJECT.`,
        { details, headers: soon },
      );
}

const crowded = (): ApiError =>
  new ApiError(
    'RATE_LIMITED',
    'All connections of the service are in use. Those that are left are kept for health checks and admin keys. Try again shortly.',
    { details: { retryAfterSeconds: 1 }, headers: { ...soon, connection: 'close' } },
  );

/** The log of a browser's requests, for its owner. Looking at it is no action, and disturbs no page. */
import type { ArtifactRecord } from '../../artifacts/artifacts.ts';
import { ApiError } from '../../errors.ts';
import type { Events } from '../../events/events.ts';
import { decodeCursor, encodeCursor } from '../../kit/cursor.ts';
import { firstPage, type ListPage, type PageQuery } from '../../kit/page-of-list.ts';
import { detailed, type Found, type HarFiles, isTextType, shown } from '../network/network.ts';
import type { CreateHar, NetworkRequest, NetworkRequestDetail } from '../network/schema.ts';
import type { Running } from '../running/running.ts';

export interface NetworkQuery extends PageQuery {
  tabId?: string;
  type?: readonly string[];
  status?: string;
  host?: string;
  failed: boolean;
  since?: string;
}

export type NetworkPage = ListPage<NetworkRequest> & { dropped: number; log: 'on' | 'off' };

/** What is shown that is hidden otherwise, and who wanted it. */
export interface Reveal {
  keyId: string;
}

export interface RequestContent {
  name: string;
  mimeType: string;
  bytes: Buffer;
}

export interface OwnerNetwork {
  list(projectId: string, id: string, query: NetworkQuery): Promise<NetworkPage>;
  get(projectId: string, id: string, requestId: string, reveal?: Reveal): Promise<NetworkRequestDetail>;
  content(projectId: string, id: string, requestId: string): Promise<RequestContent>;
  har(projectId: string, id: string, asked: CreateHar, reveal?: Reveal): Promise<Buffer>;
  harFile(projectId: string, id: string, asked: CreateHar, reveal?: Reveal): Promise<ArtifactRecord>;
}

export interface OwnerNetworkParts {
  use(projectId: string, id: string): Promise<Running>;
  hars: HarFiles;
  events: Pick<Events, 'note'>;
  masks: {
    text(projectId: string, text: string): string;
    isIn(projectId: string, bytes: Uint8Array): Promise<boolean>;
  };
}

const placeOf = ({ request }: Found) => ({ createdAt: request.seq, id: request.id });
const plainType = /^[\w.+-]+\/[\w.+-]+$/;

export function ownerNetwork({ use, hars, events, masks }: OwnerNetworkParts): OwnerNetwork {
  const find = ({ live, id }: Running, requestId: string): Found => {
    const found = live.network.get(requestId);
    if (found) return found;
    throw new ApiError(
      'REQUEST_NOT_FOUND',
      `There is no request ${requestId} in the log of browser ${id}. It keeps the last ones of each tab. List them: GET …/network.`,
    );
  };
  const note = ({ id: browserId, projectId }: Running, data: Record<string, unknown>): void =>
    events.note({ type: 'network.revealed', browserId, projectId, at: Date.now(), data });
  const made = async (projectId: string, id: string, asked: CreateHar, reveal?: Reveal) => {
    const running = await use(projectId, id);
    const { tabId, since, bodies, maxBytes } = asked;
    if (tabId !== undefined && !knows(running, tabId))
      throw new ApiError('TAB_NOT_FOUND', `There is no tab ${tabId} in browser ${id}, and none in its log.`);
    if (reveal) note(running, { ...reveal, what: 'har' });
    const filter = { tabId, since: since === undefined ? undefined : Date.parse(since) };
    const body = await hars.make(running, filter, { bodies, maxBytes, reveal: reveal !== undefined });
    return { running, body };
  };
  return {
    async list(projectId, id, { cursor, limit, since, ...filter }) {
      const { network } = (await use(projectId, id)).live;
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      const wanted = {
        ...filter,
        since: since === undefined ? undefined : Date.parse(since),
        beforeSeq: after?.createdAt,
      };
      const found = await network.find(wanted, limit + 1);
      const page = firstPage(
        found,
        limit,
        (last) => encodeCursor(placeOf(last)),
        (each) => shown(each),
      );
      return { ...page, dropped: network.dropped, log: network.isOn ? 'on' : 'off' };
    },
    async get(projectId, id, requestId, reveal) {
      const running = await use(projectId, id);
      const found = find(running, requestId);
      if (reveal) note(running, { ...reveal, what: 'request', requestId });
      return detailed(found, { reveal: reveal !== undefined });
    },
    async content(projectId, id, requestId) {
      const running = await use(projectId, id);
      const found = find(running, requestId);
      const body = await running.live.network.body(found);
      if (!body)
        throw new ApiError(
          'REQUEST_CONTENT_GONE',
          'Chromium has no body for this request: it had none, was too large to be kept, or its page has gone on to another document.',
        );
      const given = found.request.mimeType ?? '';
      const mimeType = plainType.test(given) ? given : 'application/octet-stream';
      return {
        name: nameOf(found.request.url),
        mimeType,
        bytes: await masked(projectId, body.bytes, mimeType),
      };
    },
    har: async (...asked) => (await made(...asked)).body,
    async harFile(...asked) {
      const { running, body } = await made(...asked);
      return hars.keep(running, body);
    },
  };

  async function masked(projectId: string, bytes: Buffer, mimeType: string): Promise<Buffer> {
    if (!(await masks.isIn(projectId, bytes))) return bytes;
    if (isTextType(mimeType)) return Buffer.from(masks.text(projectId, bytes.toString('utf8')));
    throw new ApiError(
      'SECRET_IN_FILE',
      'The body holds the value of a secret of this project, so it is not handed out.',
    );
  }
}

const knows = ({ live }: Running, tabId: string): boolean =>
  live.tabs.targetOf(tabId) !== undefined || live.network.knows(tabId);

const nameOf = (url: string): string => {
  const [last = ''] = (URL.parse(url)?.pathname ?? '').split('/').slice(-1);
  return last.replace(/[^\w.-]+/g, '_').slice(-100) || 'content';
};

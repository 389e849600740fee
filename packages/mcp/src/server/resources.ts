/**
 * Files, downloads and recordings, for clients that read resources:
 *
 *   browserd://browsers/{browserId}/files/{id}   and the same for downloads and recordings
 *
 * Large ones are not sent: the client gets their HTTP address instead.
 */
import { type Browserd, BrowserdError, type Content } from '@browserd/sdk';
import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Artifact, type Collection, collections, isText, listOf, visible } from '../answers/answers.ts';

const mostBytes = 1_000_000;
const recentBrowsers = 5;
const recentEach = 10;

interface Parts {
  client: Browserd;
  publicUrl: string;
}

const resourceOf = (browserId: string, collection: Collection, item: Artifact) => ({
  uri: `browserd://browsers/${browserId}/${collection}/${item.id}`,
  name: item.name || item.id,
  description: `A ${item.kind} of ${browserId}: ${item.state}.`,
  ...(item.mimeType && { mimeType: item.mimeType }),
  ...(item.size !== undefined && { size: item.size }),
});

/** Of the newest browsers, including closed ones: artifacts outlive their browser. */
async function recent({ client }: Parts, collection: Collection, signal: AbortSignal) {
  const { items } = await client.browsers.list({ limit: recentBrowsers }, { signal }).page();
  const lists = items.map(async (browser) =>
    // a browser that is deleted meanwhile has no list
    (await listOf(browser, collection, signal, recentEach).catch(() => [])).map((item) =>
      resourceOf(browser.id, collection, item),
    ),
  );
  return { resources: (await Promise.all(lists)).flat() };
}

async function read(
  { client, publicUrl }: Parts,
  [collection, uri, browserId, id]: [Collection, string, string, string],
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const content = await client.browser(browserId)[collection].content(id, { signal });
  const { size = Number.POSITIVE_INFINITY, mimeType } = content;
  if (size <= mostBytes) return { contents: [{ uri, mimeType, ...(await bytesOf(content)) }] };
  await content.stream.cancel();
  const address = `${publicUrl}/v1/browsers/${browserId}/${collection}/${id}/content`;
  const text = `It has ${size} bytes, more than the ${mostBytes} that are given here. GET ${address} with the API key has all of it.`;
  return { contents: [{ uri, mimeType: 'text/plain', text }] };
}

async function bytesOf(content: Content): Promise<{ text: string } | { blob: string }> {
  if (isText(content.mimeType)) return { text: visible(await content.text()) };
  return { blob: Buffer.from(await content.bytes()).toString('base64') };
}

const notFound = (error: unknown): boolean => error instanceof BrowserdError && error.status === 404;

export function registerResources(server: McpServer, parts: Parts): void {
  for (const collection of collections) {
    const template = new ResourceTemplate(`browserd://browsers/{browserId}/${collection}/{id}`, {
      list: ({ mcpReq }: ServerContext) => recent(parts, collection, mcpReq.signal),
    });
    const about = { title: `${collection} of browsers`, description: `The content of ${collection}.` };
    server.registerResource(collection, template, about, async (uri, { browserId, id }, { mcpReq }) => {
      try {
        return await read(parts, [collection, uri.href, String(browserId), String(id)], mcpReq.signal);
      } catch (error) {
        throw notFound(error) ? new ResourceNotFoundError(uri.href) : error;
      }
    });
  }
}

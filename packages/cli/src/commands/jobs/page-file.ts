/** What a result becomes in a folder: the text that was read, the values that were picked, a picture or a PDF. */
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { api } from '@browserd/sdk';
import type { Call } from '../../call/call.ts';
import type { PageFile } from './result-folder.ts';

const endings = { markdown: 'md', html: 'html', text: 'txt', json: 'json' };

export async function pageFileOf(
  { client, signal }: Call,
  { status, scraped, file }: api.JobResult,
): Promise<PageFile | undefined> {
  if (status !== 'done') return undefined;
  if (file) {
    const { stream } = await client.files.content(file.id, { signal });
    const [, ending = 'bin'] = /^\.([a-z0-9]{1,8})$/i.exec(extname(file.name)) ?? [];
    return { ending, content: Readable.fromWeb(stream as never) };
  }
  if (!scraped) return undefined;
  if (scraped.data !== undefined) return textFile('json', JSON.stringify(scraped.data, null, 2));
  const { content, format } = scraped;
  if (typeof content === 'string') return textFile(endings[format], content);
  return textFile('json', JSON.stringify(content, null, 2));
}

const textFile = (ending: string, text: string): PageFile => ({
  ending,
  content: [Buffer.from(text.endsWith('\n') ? text : `${text}\n`)],
});

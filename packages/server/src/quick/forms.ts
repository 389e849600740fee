/** What is kept of each kind of answer, and the answer that is made of it again: the same for all that get it. */
import { Readable } from 'node:stream';
import { type Answer, mostAnswerBytes } from '../cache/cache.ts';
import type { ElementPicture, Visit } from '../page/page.ts';
import type { Form } from './kept-answers.ts';
import type { QuickScraped } from './schema.ts';

export type ScrapedPage = Omit<QuickScraped, 'elapsedMs'>;

export const scrapedForm: Form<ScrapedPage> = {
  pack: async (scraped) => ({ content: Buffer.from(JSON.stringify(scraped)) }),
  unpack: ({ content }) => JSON.parse(content.toString()),
};

type Taken<T> = Visit & { made: T };

const visitOf = ({ finalUrl, statusCode, contentType, redirects, timedOut }: Visit): Visit => ({
  finalUrl,
  statusCode,
  contentType,
  redirects,
  timedOut,
});
const visitIn = ({ about }: Answer): Visit => about.visit as Visit;

export const pictureForm: Form<Taken<Buffer>> = {
  pack: async (taken) => ({ content: taken.made, about: { visit: visitOf(taken) } }),
  unpack: (answer) => ({ ...visitIn(answer), made: answer.content }),
};

export const picturesForm: Form<Taken<ElementPicture[]>> = {
  pack: async (taken) => ({
    content: Buffer.concat(taken.made.map(({ bytes }) => bytes)),
    about: {
      visit: visitOf(taken),
      pictures: taken.made.map(({ bytes, ...rest }) => ({ ...rest, size: bytes.length })),
    },
  }),
  unpack: (answer) => {
    let at = 0;
    const pictures = answer.about.pictures as (Omit<ElementPicture, 'bytes'> & { size: number })[];
    const made = pictures.map(({ size, ...rest }) => {
      at += size;
      return { ...rest, bytes: answer.content.subarray(at - size, at) };
    });
    return { ...visitIn(answer), made };
  },
};

/** A PDF is streamed; one that is small enough is read whole first. */
export const printForm: Form<Taken<Readable>> = {
  async pack(taken) {
    const read = await readUpTo(taken.made, mostAnswerBytes);
    return 'whole' in read
      ? { content: read.whole, about: { visit: visitOf(taken) } }
      : { unpacked: { ...taken, made: read.rest } };
  },
  unpack: (answer) => ({ ...visitIn(answer), made: Readable.from([answer.content], { objectMode: false }) }),
};

/** All of a stream, or a stream of all of it where it is larger. */
async function readUpTo(stream: Readable, most: number): Promise<{ whole: Buffer } | { rest: Readable }> {
  const pieces: Buffer[] = [];
  const reading = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (let size = 0; size <= most; ) {
    const { value, done } = await reading.next();
    if (done) return { whole: Buffer.concat(pieces) };
    pieces.push(value);
    size += value.length;
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* pieces.splice(0);
      for (let next = await reading.next(); !next.done; next = await reading.next()) yield next.value;
    } finally {
      stream.destroy();
    }
  }
  return { rest: Readable.from(all(), { objectMode: false }) };
}

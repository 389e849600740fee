/**
 * What quick actions make, kept as files of the project. An answer with files is kept under its Idempotency-Key without their
 * addresses: a repetition gets addresses of its own, which are not over yet.
 */
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ProjectFiles, projectFileView } from '../../files/files.ts';
import type { ProjectFile, ProjectFileSource, StoredFile, StoreWish } from '../../files/schema.ts';
import type { ElementPicture } from '../../page/page.ts';
import type { Made } from '../../quick/quick.ts';
import type { QuickScraped, QuickStored } from '../../quick/schema.ts';
import type { Once } from '../gate/gate.ts';
import { type AnswerMasks, contentAddress, type SigningParts } from '../out/out.ts';

export interface StoreParts {
  projectFiles: Pick<ProjectFiles, 'addAll' | 'remove'>;
  signing: SigningParts;
  once: Once;
}

/** What is to be stored, and what the answer says beside the files. */
interface Storable<About> {
  about: About;
  source: ProjectFileSource;
  mimeType: string;
  /** Where the caller gives none. */
  name: string;
  contents: readonly { selector?: string; bytes: Uint8Array | Readable }[];
}

const addressSeconds = 3600;

export const aboutVisit = (
  url: string | undefined,
  { finalUrl, statusCode, timedOut }: Pick<Made<unknown>, 'finalUrl' | 'statusCode' | 'timedOut'>,
) => ({ url: url ?? finalUrl, finalUrl, statusCode, ...(timedOut && { timedOut }) });

/** A picture, several, or a PDF. The HAR is masked before it is kept with the answer. */
export const capturedFiles = (
  { made, har, ...visited }: Made<Buffer | Readable | ElementPicture[]>,
  {
    url,
    mask,
    ...file
  }: Pick<Storable<unknown>, 'source' | 'name' | 'mimeType'> & {
    url: string | undefined;
    mask(har: string): string;
  },
): Storable<Omit<QuickStored, 'files'>> => ({
  about: { ...aboutVisit(url, visited), ...(har !== undefined && { har: JSON.parse(mask(har)) }) },
  ...file,
  contents: Array.isArray(made) ? made : [{ bytes: made }],
});

const scrapedTypes = {
  markdown: ['page.md', 'text/markdown'],
  html: ['page.html', 'text/html'],
  text: ['page.txt', 'text/plain'],
  json: ['page.json', 'application/json'],
} as const;

/** Masked as the answer is: a file passes no other mask. */
export function scrapedFile(
  about: QuickScraped,
  masks: AnswerMasks,
  projectId: string,
): Storable<QuickScraped> {
  const [name, mimeType] = scrapedTypes[about.format];
  const text =
    about.format === 'json'
      ? masks.json(projectId, JSON.stringify(about.content))
      : masks.text(projectId, String(about.content));
  return { about, source: 'scrape', name, mimeType, contents: [{ bytes: Buffer.from(text) }] };
}

type Unsigned = ProjectFile & { selector?: string };

/** The `store` of a request says that it is wanted. */
export async function answerStored<About extends object>(
  { projectFiles, signing, once }: StoreParts,
  request: FastifyRequest,
  reply: FastifyReply,
  wish: Exclude<StoreWish, false>,
  make: () => Promise<Storable<About>>,
): Promise<unknown> {
  const { projectId } = request.principal;
  const body = await once(request, reply, async (madeBefore) => {
    // Stored by an attempt that was killed before its answer: no caller knows of them, and the page is captured again.
    for (const id of madeBefore?.split(' ') ?? []) await projectFiles.remove(projectId, id);
    const made = await make();
    const files = await store(projectFiles, request, wish, made);
    return { statusCode: 201, body: { ...made.about, files } };
  });
  const { files } = body as { files?: Unsigned[] };
  if (!files) return body;
  const signed: StoredFile[] = [];
  for (const file of files) {
    const { id, expiresAt } = file;
    const recordExpiresAt = expiresAt === null ? null : Date.parse(expiresAt);
    const wanted = { path: `/v1/files/${id}`, id, ttlSeconds: addressSeconds, recordExpiresAt };
    signed.push({ ...file, address: await contentAddress(signing, request, wanted) });
  }
  return { ...(body as About), files: signed };
}

async function store<About>(
  projectFiles: StoreParts['projectFiles'],
  { principal, idempotencyKey }: FastifyRequest,
  wish: Exclude<StoreWish, false>,
  { source, mimeType, name, contents }: Storable<About>,
): Promise<Unsigned[]> {
  const { name: wanted = name, ttlSeconds } = wish === true ? {} : wish;
  try {
    const records = await projectFiles.addAll(
      principal.projectId,
      contents.map(({ bytes }, place) => ({
        name: numbered(wanted, place, contents.length),
        mimeType,
        source,
        content: bytes,
        ttlSeconds,
      })),
      idempotencyKey,
    );
    return records.map((record, place) => {
      const selector = contents[place]?.selector;
      return { ...projectFileView(record), ...(selector !== undefined && { selector }) };
    });
  } finally {
    // One that was refused before it was read would hold its browser until the longest time for reading is over.
    for (const { bytes } of contents) if (!(bytes instanceof Uint8Array)) bytes.destroy();
  }
}

/** `cards.png` → `cards-1.png`, `cards-2.png`, where there are several. */
function numbered(name: string, place: number, of: number): string {
  if (of === 1) return name;
  const ending = extname(name);
  return `${name.slice(0, name.length - ending.length)}-${place + 1}${ending}`;
}

/**
 * Reading a page on the way, with most of the work done beside it:
 *
 *   page ── gather ──> a copy of what it shows ──> write, in a blank page of the same Chromium ──> its text
 *
 * In a new document the program that writes would be brought, compiled and run cold for a few milliseconds of work. The blank
 * page has kept it from the page before. It runs nothing of the copies: their documents load nothing and have no scripts.
 */
import type { Expression } from '../../kit/page-program.ts';
import type { Asked, Gathered, Reading, Unwritten, Written } from '../inside/inside.ts';
import { gatherProgram, lookIn, lookInto, type PageSession, worldOf, writerProgram } from '../reach/reach.ts';
import type { AtRest } from '../visit/visit.ts';

/** Far more than a page of the size that is gathered takes. */
const mostMs = 5000;
const mostChars = 1_000_000;

interface Writer {
  world?: Promise<number>;
  /** It took too long once, or is gone. Its Chromium is soon replaced by another. */
  failed: boolean;
}

/** By the Chromium that has it. */
const writers = new WeakMap<object, Writer>();

/** What only the page itself can give; where the program fails there, it is asked again in the usual way. */
export const gathering = (asked: Asked): AtRest => ({
  load: gatherProgram.load(),
  look: `(() => { try { return ${gatherProgram.callLoaded('gather', asked)}; } catch {} })()`,
});

export interface AsideOptions {
  /** The page is as it was when this was gathered. */
  gathered?: Gathered | undefined;
  writingMs?: number;
}

/** Undefined: it has to be read in the page itself. */
export async function readAside(
  page: PageSession,
  blank: PageSession,
  asked: Asked,
  { gathered: known, writingMs = mostMs }: AsideOptions = {},
): Promise<Exclude<Reading, { framesFirst: true }> | undefined> {
  const writer = writerOf(blank);
  if (writer.failed) return undefined;
  const gathered = known ?? (await lookInto(page, gatherProgram.call('gather', asked), asked.ms));
  if ('here' in gathered) return undefined;
  if (!('branches' in gathered)) return gathered;
  const { branches: _branches, pageTitle: _pageTitle, ...read } = gathered;
  try {
    return {
      ...read,
      ...(await written(writer, blank, gathered, { ...asked, ms: Math.min(asked.ms, writingMs) })),
    };
  } catch {
    writer.failed = true;
    return undefined;
  }
}

function writerOf({ cdp }: PageSession): Writer {
  const known = writers.get(cdp);
  if (known) return known;
  const writer: Writer = { failed: false };
  writers.set(cdp, writer);
  return writer;
}

async function written(
  writer: Writer,
  blank: PageSession,
  { branches, pageTitle, title }: Unwritten,
  { form, citations, from, most, mainContent, selector, ms }: Asked,
): Promise<Written> {
  if (branches.length > mostChars) throw new Error('The copy is larger than it can be.');
  const wantsPart = mainContent && selector === undefined;
  const writing = { form, citations, from, most, ...(wantsPart && { title }) };
  writer.world ??= worldOf(blank, ms);
  const { world } = writer;
  const look = <T>(expression: Expression<T>): Promise<T> => lookIn(blank, () => world, expression, ms);
  return (
    (await look(writerProgram.callLoaded('write', branches, pageTitle, writing))) ??
    look(writerProgram.call('write', branches, pageTitle, writing))
  );
}

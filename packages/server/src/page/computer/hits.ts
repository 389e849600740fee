/**
 * What lies at a place of the page, also in frames of other processes: each document names what it has there, and a frame leads
 * to the next one.
 */
import { z } from 'zod';
import type { Expression } from '../../kit/page-program.ts';
import type { HitFacts } from '../inside/inside.ts';
import { hitProgram } from '../reach/reach.ts';
import { RefusedError, type Remote, type Shown } from '../view/view.ts';
import { type Hit, hitSchema } from './schema.ts';
import type { Place } from './screen.ts';

const worldName = 'browserd';
const objectGroup = 'browserd computer';
const mostDepth = 5;

/** What a page says of itself is checked, though it comes from a world of the service's own: the process is the page's. */
const factsSchema: z.ZodType<HitFacts> = hitSchema.omit({ ref: true }).extend({
  opens: z.boolean().optional(),
  inFrame: z.strictObject({ x: z.number(), y: z.number() }).optional(),
});

export interface Found {
  hit: Hit;
  /** A press there opens something that Chromium draws outside the page. */
  opens: boolean;
}

interface World {
  sessionId: string;
  contextId: number;
}

/** Undefined: nothing is there, or the page cannot be asked now. */
export async function hitAt(shown: Shown, place: Place): Promise<Found | undefined> {
  const { remote, sessionId, targetId } = shown;
  const opened: string[] = [];
  try {
    let world = await worldIn(remote, sessionId, targetId);
    let at = place;
    for (let depth = 0; ; depth++) {
      const said = await evaluate(remote, world, hitProgram.call('at', at.x, at.y));
      const found = factsSchema.safeParse(said).data;
      if (!found) return undefined;
      const { inFrame, opens = false, ...hit } = found;
      const frameId = inFrame && depth < mostDepth ? await frameIn(remote, world, at) : undefined;
      if (!inFrame || frameId === undefined) return { hit, opens };
      world = await enter(remote, world.sessionId, frameId, opened);
      at = { x: at.x - inFrame.x, y: at.y - inFrame.y };
    }
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  } finally {
    for (const session of opened)
      void remote.send('Target.detachFromTarget', { sessionId: session }).catch(() => undefined);
    void remote.send('Runtime.releaseObjectGroup', { objectGroup }, sessionId).catch(() => undefined);
  }
}

async function worldIn(remote: Remote, sessionId: string, frameId: string): Promise<World> {
  const made = await remote.send('Page.createIsolatedWorld', { frameId, worldName }, sessionId);
  return { sessionId, contextId: Number(made.executionContextId) };
}

/** A frame of another process has a target of its own. */
async function enter(remote: Remote, sessionId: string, frameId: string, opened: string[]): Promise<World> {
  try {
    return await worldIn(remote, sessionId, frameId);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const attached = await remote.send('Target.attachToTarget', { targetId: frameId, flatten: true });
    const own = String(attached.sessionId);
    opened.push(own);
    return worldIn(remote, own, frameId);
  }
}

async function frameIn(
  remote: Remote,
  { sessionId, contextId }: World,
  { x, y }: Place,
): Promise<string | undefined> {
  const expression = hitProgram.call('frameAt', x, y);
  const { result } = await remote.send('Runtime.evaluate', { expression, contextId, objectGroup }, sessionId);
  const { objectId } = result as { objectId?: string };
  if (objectId === undefined) return undefined;
  const { node } = await remote.send('DOM.describeNode', { objectId }, sessionId);
  return (node as { frameId?: string }).frameId;
}

async function evaluate<T>(
  remote: Remote,
  { sessionId, contextId }: World,
  expression: Expression<T>,
): Promise<T> {
  const asked = { expression, contextId, returnByValue: true };
  const { result, exceptionDetails } = await remote.send('Runtime.evaluate', asked, sessionId);
  if (exceptionDetails) throw new RefusedError('The page was replaced meanwhile.');
  return (result as { value: T }).value;
}

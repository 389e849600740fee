/**
 * A page of a list may hold megabytes, and writing them as JSON takes the loop's time. So a page is written item by item,
 * within the share of its caller's project.
 */
import { inSteps, shareOf } from '../../kit/loop-share.ts';
import type { App } from '../wire/wire.ts';

interface Page {
  items: unknown[];
}

const isPage = (payload: unknown): payload is Page =>
  typeof payload === 'object' && payload !== null && 'items' in payload && Array.isArray(payload.items);

export function* written({ items, ...others }: Page): Generator<undefined, string> {
  const texts: string[] = [];
  for (const item of items) {
    if (texts.length > 0) yield;
    texts.push(JSON.stringify(item));
  }
  const rest = JSON.stringify(others).slice(1);
  return `{"items":[${texts.join(',')}]${rest === '}' ? '' : ','}${rest}`;
}

const asItIs = (payload: unknown): string => payload as string;

export function writePages(app: App): void {
  app.addHook('preSerialization', async ({ principal }, reply, payload) => {
    if (!principal || !isPage(payload)) return payload;
    reply.serializer(asItIs);
    return inSteps(shareOf(principal.projectId), written(payload));
  });
}

/**
 * What the event of a call tells of its actions: enough to follow what a model did, and no more. Neither what was typed, pasted,
 * chosen or copied nor which keys were pressed, which may spell a password; nor names and addresses, which are a page's own words.
 */
import type { Action } from './actions-schema.ts';
import type { Done } from './schema.ts';

interface NotedStep {
  type: Action['type'];
  tabId?: string;
  /** As the caller gave it. */
  x?: number;
  y?: number;
  unit?: 'thousandths';
  hit?: { tag: string; role?: string };
  changed?: boolean;
  navigated?: true;
}

/** Of a drag, the first place that it names. */
function placeIn(action: Action): Pick<NotedStep, 'x' | 'y' | 'unit'> {
  const { x, y } = 'path' in action ? (action.path[0] ?? {}) : 'x' in action ? action : {};
  if (x === undefined || y === undefined) return {};
  return { x, y, ...('unit' in action && action.unit === 'thousandths' && { unit: action.unit }) };
}

export const notedStep = (action: Action, done?: Done): NotedStep => ({
  type: action.type,
  ...(done && { tabId: done.tabId }),
  ...placeIn(action),
  ...(done?.hit && {
    hit: { tag: done.hit.tag, ...(done.hit.role !== undefined && { role: done.hit.role }) },
  }),
  ...(done?.changed !== undefined && { changed: done.changed }),
  ...(done?.navigatedTo !== undefined && { navigated: true }),
});

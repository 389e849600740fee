/** How each action of computer use is carried out: one row for each action. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExitTroubles, Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { copyFrom, pasteInto, type Shown } from '../view/view.ts';
import type { Action, ActionOf } from './actions-schema.ts';
import type { Desk } from './desk.ts';
import { goTo, step as stepTo } from './going.ts';
import { Hand } from './hand.ts';
import { chordOf, chordsOf } from './keys.ts';
import { choose, pickerView } from './pickers.ts';
import { closeUp, type PictureCall, pictureOf } from './pictures.ts';
import type { Done } from './schema.ts';
import { inPage, inPicture, type Place, type Screen, type Unit } from './screen.ts';

export interface Step {
  running: Running;
  desk: Desk;
  shown: Shown;
  /** Undefined where the page could not be measured. */
  screen: Screen | undefined;
  troubles: ExitTroubles;
  pictures: PictureCall;
  signal: AbortSignal;
}

type Outcome = Partial<Pick<Done, 'tabId' | 'cursor' | 'text' | 'picture' | 'picker'>>;
/** What a row gives besides having been done. */
type Performers = { [Type in Action['type']]: (action: ActionOf<Type>, step: Step) => Promise<unknown> };

const notch = 100;

const screenIn = ({ screen }: Pick<Step, 'screen'>): Screen => {
  if (screen) return screen;
  throw new ApiError(
    'BROWSER_UNRESPONSIVE',
    'The page is too busy to be looked at. Try again later, or navigate away.',
  );
};

export function placeIn(step: Pick<Step, 'screen'>, place: Place, unit: Unit): Place {
  const screen = screenIn(step);
  const found = inPage(screen, place, unit);
  if (found) return found;
  const size = unit === 'pixels' ? `${screen.width} × ${screen.height} pixels` : '1000 × 1000 thousandths';
  throw new ApiError(
    'POINT_OUTSIDE_SCREEN',
    `The place ${place.x}, ${place.y} lies outside the picture, which is ${size}. Scroll first, or take a new screenshot.`,
    { details: { x: place.x, y: place.y, width: screen.width, height: screen.height } },
  );
}

/** Without a place of its own an action is where the cursor is. */
export function placeOf(
  action: { x?: number; y?: number; unit: Unit },
  step: Pick<Step, 'screen' | 'desk'>,
): Place {
  const { x, y, unit } = action;
  return x === undefined || y === undefined ? step.desk.cursor : placeIn(step, { x, y }, unit);
}

function scrolledBy({ deltaX, deltaY, by, unit }: ActionOf<'scroll'>, step: Step): Place {
  if (by === 'notches') return { x: deltaX * notch, y: deltaY * notch };
  const { factor, view } = screenIn(step);
  if (unit === 'pixels') return { x: deltaX / factor, y: deltaY / factor };
  return { x: (deltaX / 1000) * view.width, y: (deltaY / 1000) * view.height };
}

const performers: Performers = {
  click: (action, step) =>
    new Hand(step).click(placeOf(action, step), action.button, action.count, action.modifiers),
  move: (action, step) => new Hand(step).move(placeOf(action, step)),
  async down(action, step) {
    const hand = new Hand(step);
    await hand.move(placeOf(action, step));
    await hand.down(action.button);
  },
  async up(action, step) {
    const hand = new Hand(step);
    await hand.move(placeOf(action, step));
    await hand.up(action.button);
  },
  drag({ path, unit, button, modifiers }, step) {
    const places = path.map((place) => placeIn(step, place, unit));
    const whole = places.length === 1 ? [step.desk.cursor, ...places] : places;
    return new Hand(step).drag(whole, button, modifiers);
  },
  scroll: (action, step) =>
    new Hand(step).scroll(placeOf(action, step), scrolledBy(action, step), action.modifiers),
  async type({ text, clear, submit, ...place }, step) {
    const hand = new Hand(step);
    if (place.x !== undefined) await hand.click(placeOf(place, step), 'left', 1, []);
    if (clear) await hand.chord(chordOf('Control+a'));
    if (clear && text === '') await hand.chord(chordOf('Delete'));
    await hand.type(text);
    if (submit) await hand.chord(chordOf('Enter'));
  },
  async key({ keys, holdMs }, step) {
    for (const chord of chordsOf(keys)) await new Hand(step).chord(chord, holdMs);
  },
  async select(action, step) {
    await new Hand(step).click(placeOf(action, step), 'left', 1, []);
    return { picker: pickerView(await choose(step.desk, action, step.signal)) };
  },
  wait: ({ ms }, { signal }) => sleep(ms, undefined, { signal }),
  cursor: async (_, step) => ({ cursor: inPicture(screenIn(step), step.desk.cursor) }),
  screenshot: async (_, { pictures, shown, screen }) => ({
    picture: await pictureOf(pictures, shown.tabId, screen),
  }),
  zoom: async ({ region, unit }, step) => ({
    picture: await closeUp(step.pictures, step.shown.tabId, screenIn(step), region, unit),
  }),
  copy: async ({ cut }, { shown }) => ({ text: await copyFrom(shown, cut ? 'cut' : 'copy') }),
  paste: ({ text }, { shown }) => pasteInto(shown, text),
  navigate: ({ url }, { shown, troubles, signal }) => goTo(shown, url, troubles, signal),
  back: (_, { shown }) => stepTo(shown, -1),
  forward: (_, { shown }) => stepTo(shown, 1),
  async reload(_, { shown: { remote, sessionId } }) {
    await remote.send('Page.reload', {}, sessionId);
  },
  async openTab({ url }, { running, desk, troubles, signal }) {
    const { tabs } = running.live;
    const tabId = await tabs.open();
    await tabs.activate(tabId);
    if (url !== undefined) await goTo(await desk.at(tabId), url, troubles, signal);
    return { tabId };
  },
};

export const perform = async (action: Action, step: Step): Promise<Outcome> =>
  ((await performers[action.type](action as never, step)) ?? {}) as Outcome;

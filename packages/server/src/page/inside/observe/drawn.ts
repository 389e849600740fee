/** Drawings: what a person sees in them cannot be read, so a hint says what they are made of. */
import { allBelow, attributeOf, tagOf, textOf } from '../pristine.ts';
import { longestNote, short } from './words.ts';

export const shapes = new Set('circle ellipse rect line polyline polygon path text image use g'.split(' '));

const mostCounted = 2000;

/** How many shapes of which kinds. */
export function drawingHint(svg: Element): string {
  const counts = new Map<string, number>();
  let seen = 0;
  for (const shape of allBelow(svg, 'circle,ellipse,rect,line,polyline,polygon,path,text,image')) {
    if (++seen > mostCounted) break;
    const tag = tagOf(shape);
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].map(([tag, count]) => `${count} ${tag}`).join(', ');
}

/** Its kind and its colour. */
export function shapeHint(shape: Element, style: CSSStyleDeclaration): string {
  const { fill, stroke } = style;
  const colour = [fill, stroke].find((each) => each && each !== 'none');
  const label = attributeOf(shape, 'class') ?? attributeOf(shape, 'id') ?? '';
  return [tagOf(shape), colour && colourName(colour), label.slice(0, 40)].filter(Boolean).join(' ');
}

const names: Record<string, string> = {
  ...{ '255,0,0': 'red', '0,128,0': 'green', '0,0,255': 'blue', '255,255,0': 'yellow', '0,0,0': 'black' },
  ...{ '255,255,255': 'white', '128,128,128': 'gray', '255,165,0': 'orange', '128,0,128': 'purple' },
  ...{
    '0,255,255': 'aqua',
    '255,0,255': 'magenta',
    '255,192,203': 'pink',
    '0,255,0': 'lime',
    '165,42,42': 'brown',
  },
};

const colourName = (colour: string): string => {
  const numbers = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour)?.slice(1);
  if (!numbers) return colour.slice(0, 40);
  return (
    names[numbers.join(',')] ??
    `#${numbers.map((each) => Number(each).toString(16).padStart(2, '0')).join('')}`
  );
};

/** What a canvas says to those that cannot see it, and how large the drawing is. */
export const canvasHint = (canvas: HTMLCanvasElement): string =>
  [`${canvas.width}×${canvas.height} drawing`, short(textOf(canvas), longestNote)].filter(Boolean).join(': ');

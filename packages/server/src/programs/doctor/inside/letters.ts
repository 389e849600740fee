/** Which letters a page cannot show: a letter that no font has is drawn as the same box as a code point that is unassigned. */
const size = 40;
const unassigned = '\u0378';

function draw(text: string): string {
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const pen = canvas.getContext('2d');
  if (pen) {
    pen.font = '30px sans-serif';
    pen.fillText(text, 2, 30);
  }
  return canvas.toDataURL();
}

/** The names of the samples that are drawn as boxes. */
export function missing(samples: Record<string, string>): string[] {
  const box = draw(unassigned);
  return Object.entries(samples)
    .filter(([, text]) => draw(text) === box)
    .map(([name]) => name);
}

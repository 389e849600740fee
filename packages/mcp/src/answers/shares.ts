/**
 * Several texts in one answer share its room: each gets an equal part, and what short ones leave goes to the longer
 * ones. So one long page cannot push the others out.
 */
export function sharesOf(lengths: readonly number[], room: number): number[] {
  const shares = lengths.map(() => 0);
  let left = room;
  const shortFirst = lengths.map((length, at) => ({ length, at })).sort((a, b) => a.length - b.length);
  for (const [place, { length, at }] of shortFirst.entries()) {
    const share = Math.min(length, Math.floor(left / (shortFirst.length - place)));
    shares[at] = share;
    left -= share;
  }
  return shares;
}

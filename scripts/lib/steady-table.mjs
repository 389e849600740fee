/** The runs of `npm run test:steady` as a table for a terminal; what failed is named below its run. */
export function steadyTable(runs, loops) {
  const row = (cells) =>
    [4, 14, 8, 8, 9]
      .map((width, at) => String(cells[at]).padEnd(width))
      .join('')
      .trimEnd();
  const lines = runs.flatMap(({ load, passed, failed, minutes, failures }, at) => [
    row([at + 1, load ? `${loops} busy loops` : 'quiet', passed, failed, minutes.toFixed(1)]),
    ...failures.map((name) => `      ${name}`),
  ]);
  return [row(['run', 'load', 'passed', 'failed', 'minutes']), ...lines].join('\n');
}

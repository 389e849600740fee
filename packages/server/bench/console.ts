/** What it costs a page that its console is listened to: the page's own clock, listened to and not, in turns. */
import { type Row, summarize } from './measure.ts';
import { rawPage } from './rivals.ts';

const loads: Record<string, string> = {
  '1,000 lines to the console': "for (let i = 0; i < 1000; i++) console.log('line', i, { a: 1 })",
  '200 elements with layout':
    "for (let i = 0; i < 200; i++) { document.body.append(document.createElement('p')); document.body.offsetHeight } document.body.textContent = ''",
  '10 frames':
    "for (let i = 0; i < 10; i++) { const frame = document.createElement('iframe'); frame.srcdoc = '<p>'; await new Promise((loaded) => { frame.onload = loaded; document.body.append(frame) }) } document.body.textContent = ''",
};

const rounds = 30;

export async function benchConsole(): Promise<Row[]> {
  const page = await rawPage();
  const rows: Row[] = [];
  for (const [what, work] of Object.entries(loads)) {
    const series: Record<string, number[]> = {};
    for (let n = 0; n < rounds * 2; n++) {
      const heard = n % 2 === 1;
      await page.listen(heard);
      const code = `(async () => { const began = performance.now(); ${work}; return performance.now() - began })()`;
      const ms = await page.evaluate(code);
      const name = `${what}, ${heard ? 'heard' : 'unheard'}`;
      series[name] = [...(series[name] ?? []), Number(ms)];
    }
    const [unheard, heard] = Object.entries(series);
    if (heard && unheard) rows.push(...summarize('console', Object.fromEntries([heard, unheard])));
  }
  await page.close();
  return rows;
}

/** A page with one of each control whose list or dialog Chromium draws outside the page, and what happens to them. */

/** Only where a test is about them: thousands are most of what a page with them costs. */
const fillsMany = `const fillMany = () => document.getElementById('many').replaceChildren(
  ...Array.from({ length: 6000 }, (_, n) => new Option('Option ' + n, 'v' + n)));`;

/** Places are fixed, so that a test knows where to press: each control is 200 × 30, at this corner. */
export const corners = {
  fruit: [10, 10],
  many: [10, 60],
  several: [10, 110],
  date: [10, 250],
  time: [10, 300],
  color: [10, 350],
  city: [10, 400],
  file: [10, 450],
  files: [10, 500],
  asks: [10, 550],
  shady: [300, 10],
  closed: [600, 10],
  near: [300, 60],
  far: [300, 160],
} as const;

const style = `<style>body { margin: 0; font: 16px sans-serif }
  select, input, button { position: absolute; box-sizing: border-box; width: 200px; height: 30px; margin: 0; padding: 0 }
  iframe { position: absolute; border: 5px solid grey; width: 260px; height: 80px }</style>`;
const at = (name: keyof typeof corners): string =>
  `id="${name}" style="left: ${corners[name][0]}px; top: ${corners[name][1]}px"`;

const noting = `<script>
  window.noted = [];
  const note = (event) => noted.push([event.composedPath()[0].id, event.type, event.isTrusted].join(' '));
  for (const type of ['input', 'change', 'cancel']) addEventListener(type, note, true);
  addEventListener('keydown', (event) => noted.push('key ' + event.key), true);
</script>`;

/** In a frame the control is where the frame's border ends. */
const framed = `<!doctype html>${style}${noting}<select id="inner" style="left: 20px; top: 10px"><option>one<option>two<option>three</select>
  <script>addEventListener('change', () => parent.postMessage(document.getElementById('inner').value, '*'))</script>`;

export const pickerPages = (port: number): Record<string, string> => ({
  '/framed': framed,
  '/controls': `<!doctype html><title>Controls</title>${style}${noting}
    <select ${at('fruit')} aria-label="Fruit">
      <option value="a">Apple</option><option value="b" disabled>Banana</option>
      <optgroup label="Sour"><option value="c">Cherry</option><option value="l">Lemon</option></optgroup>
      <optgroup label="Gone" disabled><option value="p">Plum</option></optgroup>
      <option value="h" hidden>Hidden</option>
    </select>
    <select ${at('many')}><option>one of many</option></select>
    <select ${at('several')} multiple size="4"><option>red<option selected>green<option>blue<option disabled>grey</select>
    <input type="date" ${at('date')} value="2026-02-03" min="2026-01-01" max="2026-12-31">
    <input type="time" ${at('time')}>
    <input type="color" ${at('color')} value="#102030">
    <input ${at('city')} list="cities"><datalist id="cities"><option>Oslo<option>Osaka<option>Rome</datalist>
    <input type="file" ${at('file')} accept=".txt,image/*">
    <input type="file" multiple ${at('files')}>
    <button ${at('asks')} onclick="setTimeout(() => document.getElementById('time').showPicker())">Time</button>
    <div id="shady"></div><x-closed style="position: absolute; left: 0; top: 0; width: 1px; height: 1px"></x-closed>
    <iframe src="/framed" style="left: ${corners.near[0]}px; top: ${corners.near[1]}px"></iframe>
    <iframe src="http://localhost:${port}/framed" style="left: ${corners.far[0]}px; top: ${corners.far[1]}px"></iframe>
    <script>
      ${fillsMany}
      const root = document.getElementById('shady').attachShadow({ mode: 'open' });
      root.innerHTML = ${JSON.stringify(`${style}<select ${at('shady').replace('shady', 'within')}><option>light<option>shade</select>`)};
      document.querySelector('x-closed').attachShadow({ mode: 'closed' }).innerHTML =
        ${JSON.stringify(`${style}<select ${at('closed')}><option>open<option>shut</select>`)};
      addEventListener('message', ({ data }) => noted.push('frame ' + data));
    </script>`,
});

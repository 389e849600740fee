/** Pages for the hand of a person. Each notes what it was given in `window.noted`, for a test to read. */
const page = (title: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title>
<style>body{margin:0;font:16px/20px monospace}.at{position:absolute}</style>
<script>const noted = []; const note = (...what) => noted.push(what.join(' '));</script>${body}`;

export const livePages: Record<string, string> = {
  /** A line of text, a slider, and a thing to drag to another place, as HTML5 and with pointer events alone. */
  '/drag': page(
    'drag',
    `<p class="at" id="text" style="left:10px;top:10px;margin:0;white-space:pre">one two three four</p>
    <input class="at" id="range" type="range" min="0" max="100" value="0" style="left:10px;top:60px;width:200px;height:20px;margin:0">
    <div class="at" id="thing" draggable="true" style="left:10px;top:120px;width:60px;height:60px;background:gold">drag</div>
    <div class="at" id="place" style="left:300px;top:120px;width:100px;height:100px;background:silver">drop</div>
    <div class="at" id="track" style="left:10px;top:260px;width:300px;height:40px;background:#ddd"><div id="knob" style="width:40px;height:40px;background:teal;touch-action:none"></div></div>
    <div class="at" id="buttons" style="left:500px;top:10px;width:200px;height:200px;background:#eef">buttons</div>
    <textarea class="at" id="field" style="left:500px;top:260px;width:300px;height:80px;font:16px/20px monospace">alpha beta gamma</textarea>
    <script>
      thing.ondragstart = ({ dataTransfer }) => { dataTransfer.setData('text/plain', 'the thing'); note('start'); };
      thing.ondragend = ({ dataTransfer }) => note('end', dataTransfer.dropEffect);
      place.ondragenter = (event) => { event.preventDefault(); note('enter'); };
      place.ondragover = (event) => event.preventDefault();
      place.ondrop = (event) => { event.preventDefault(); note('drop', event.dataTransfer.getData('text/plain')); };
      let from;
      knob.onpointerdown = (event) => { knob.setPointerCapture(event.pointerId); from = event.clientX; };
      knob.onpointermove = ({ clientX }) => { if (from !== undefined) knob.style.marginLeft = Math.min(260, Math.max(0, clientX - from)) + 'px'; };
      knob.onpointerup = () => { from = undefined; note('knob', knob.style.marginLeft); };
      buttons.oncontextmenu = (event) => event.preventDefault();
      for (const type of ['mousedown', 'mouseup'])
        buttons.addEventListener(type, (event) => note(type, event.button, event.buttons));
      addEventListener('mouseup', ({ clientX }) => note('up', Math.round(clientX)));
    </script>`,
  ),
  '/asks': page(
    'asks',
    `<button class="at" id="confirm" style="left:10px;top:10px;width:100px;height:40px">confirm</button>
    <button class="at" id="prompt" style="left:10px;top:60px;width:100px;height:40px">prompt</button>
    <script>
      document.getElementById('confirm').onclick = () => note('confirm', confirm('Really?'));
      document.getElementById('prompt').onclick = () => note('prompt', prompt('Your name?', 'nobody'));
      onbeforeunload = (event) => event.preventDefault();
    </script>`,
  ),
  /** A code of four digits with a field for each, which takes a paste itself. */
  '/code': page(
    'code',
    `<div class="at" style="left:10px;top:10px">${'<input maxlength="1" style="width:30px;height:30px">'.repeat(4)}</div>
    <script>
      const fields = [...document.querySelectorAll('input')];
      for (const field of fields)
        field.onpaste = (event) => {
          event.preventDefault();
          [...event.clipboardData.getData('text/plain')].forEach((digit, n) => { fields[n].value = digit; });
        };
    </script>`,
  ),
  '/type': page(
    'type',
    `<textarea class="at" id="field" autofocus style="left:10px;top:10px;width:600px;height:300px;font:16px/20px monospace"></textarea>
    <script>
      field.onkeydown = ({ key, ctrlKey, metaKey }) => note('down', ctrlKey ? 'ctrl' : metaKey ? 'meta' : 'plain', key);
      field.oncopy = (event) => { if (field.value === 'custom') { event.preventDefault(); event.clipboardData.setData('text/plain', 'made by the page'); } };
    </script>`,
  ),
};

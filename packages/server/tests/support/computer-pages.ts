/** Pages that note each event they hear, and whether it was trusted, so that a spec sees the hand through a page's eyes. */
const noting = `<script>
  const noted = [];
  const short = (e) => [e.type, e.target.id || e.target.localName || 'document', e.key ?? e.button ?? '', e.isTrusted ? '' : 'FAKE',
    ['ctrlKey', 'shiftKey', 'altKey', 'metaKey'].filter((name) => e[name]).join()].filter((part) => part !== '').join(' ');
  for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick', 'keydown', 'keyup', 'wheel', 'paste', 'copy', 'cut', 'change', 'dragstart', 'drop'])
    addEventListener(type, (e) => noted.push(short(e)), { capture: true, passive: true });
  addEventListener('mousemove', (e) => { window.at = [e.clientX, e.clientY] }, true);
  addEventListener('mousedown', (e) => { window.pressedAt = [e.clientX, e.clientY] }, true);
</script>`;

const page = (title: string, body: string): string =>
  `<!doctype html><meta charset=utf-8><title>${title}</title><style>body{margin:0} .at{position:absolute}</style>${noting}${body}`;

/** Where the middle of each thing is, in CSS pixels. */
export const spots = {
  button: { x: 60, y: 30 },
  field: { x: 300, y: 30 },
  list: { x: 500, y: 30 },
  file: { x: 60, y: 130 },
  covered: { x: 300, y: 130 },
  link: { x: 500, y: 130 },
  popup: { x: 60, y: 230 },
  alert: { x: 300, y: 230 },
  scroller: { x: 500, y: 280 },
  dragged: { x: 60, y: 330 },
  dropped: { x: 300, y: 330 },
  area: { x: 60, y: 430 },
  frame: { x: 300, y: 450 },
};

export const computerPages: Record<string, string> = {
  '/desk': page(
    'desk',
    `<button id=button class=at style="left:10px;top:10px;width:100px;height:40px" onclick="this.dataset.pressed = 'yes'"><span>Press <b>me</b></span></button>
    <input id=field aria-label="Your name" class=at style="left:200px;top:10px;width:200px;height:40px">
    <select id=list aria-label=Colour class=at style="left:420px;top:10px;width:160px;height:40px"><option>Red<option>Green<option>Blue</select>
    <input id=file type=file aria-label=Report class=at style="left:10px;top:110px;width:100px;height:40px">
    <button id=covered class=at style="left:200px;top:110px;width:200px;height:40px">Buy</button>
    <div id=veil class=at style="left:180px;top:100px;width:240px;height:60px;background:#0003"></div>
    <a id=link href="/next" class=at style="left:450px;top:110px;width:100px;height:40px">Next page</a>
    <button id=popup class=at style="left:10px;top:210px;width:100px;height:40px" onclick="window.open('/next?opened')">Open</button>
    <button id=alert class=at style="left:200px;top:210px;width:200px;height:40px" onclick="this.dataset.answer = confirm('Sure?')">Ask</button>
    <div id=scroller class=at style="left:450px;top:210px;width:120px;height:140px;overflow:auto"><div style="height:3000px">long</div></div>
    <div id=dragged draggable=true class=at style="left:10px;top:310px;width:100px;height:40px;background:#fc0" ondragstart="event.dataTransfer.setData('text/plain', 'cargo')">Drag me</div>
    <div id=dropped class=at style="left:200px;top:310px;width:200px;height:40px;background:#0cf" ondragover="event.preventDefault()" ondrop="event.preventDefault(); this.textContent = event.dataTransfer.getData('text/plain')">Here</div>
    <textarea id=area class=at style="left:10px;top:410px;width:180px;height:60px"></textarea>
    <iframe title=Inner class=at style="left:200px;top:410px;width:200px;height:80px;border:0" srcdoc="<body style='margin:0'><button style='width:200px;height:80px'>Inside</button>"></iframe>`,
  ),
  '/next': page('next', '<h1>Next</h1>'),
  '/grid': page('grid', '<div id=all style="height:3000px"></div>'),
};

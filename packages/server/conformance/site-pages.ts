/** The pages of the site, as small as what is checked on them allows. */
interface SitePage {
  type: string;
  body: string;
  headers?: Record<string, string>;
}

const html = (title: string, body = '', headers?: Record<string, string>): SitePage => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html lang="en"><title>${title}</title>${body}`,
  headers,
});
const script = (body: string, headers?: Record<string, string>): SitePage => ({
  type: 'text/javascript',
  body,
  headers,
});

/** Keeps what happens to an element, in order, in `window.seen`. */
const recorder = `<script>window.seen = [];
  const record = (target, ...types) => types.forEach((type) => target.addEventListener(type, (event) =>
    seen.push([type, event.isTrusted, event.button ?? event.key ?? null])));</script>`;

export const pages: Record<string, SitePage> = {
  '/plain': html('plain', '<h1>Plain</h1><p id="text">Some text</p>'),
  '/other': html('other', '<p>other</p>'),
  '/parts': html(
    'parts',
    '<link rel="stylesheet" href="/style.css"><script src="/script.js"></script><img src="/picture.png">',
  ),
  '/style.css': { type: 'text/css', body: 'p { color: red } .unused { color: blue }' },
  '/script.js': script('function used() { return 1 }\nfunction unused() { return 2 }\nused();'),
  '/links': html(
    'links',
    `<a id="same" href="/other">same</a> <a id="blank" href="/other" target="_blank" rel="opener">blank</a>
     <a id="noopener" href="/other" target="_blank" rel="noopener">noopener</a>
     <a id="download" href="/report.csv">download</a> <a id="endless" href="/endless.bin">endless</a>
     <a id="hash" href="#there">hash</a> <a id="named" href="/plain" download="renamed.html">named</a>
     <div id="there">there</div>`,
  ),
  '/moves': html('moves', '<script>onload = () => location.replace("/other?moved")</script>'),
  '/refresh': html('refresh', '<meta http-equiv="refresh" content="0;url=/other?refreshed">'),
  '/guarded': html(
    'guarded',
    '<h1>Guarded</h1><script>onbeforeunload = (event) => event.preventDefault()</script>',
  ),
  '/asks': html('asks', '<script>document.title = "said " + confirm("sure?")</script>'),
  '/alerts': html('alerts', '<script>alert("while it loads"); document.title = "alerted"</script>'),
  '/init': html('init', '<script>document.title = "init:" + (window.fromInit ?? "none")</script>'),
  '/talks': html(
    'talks',
    '<script>console.log("early", 1, { a: 1 }); console.error("bad"); console.warn("careful"); console.table([1])</script>',
  ),
  '/throws': html('throws', '<script>setTimeout(() => { throw new TypeError("not caught") })</script>'),
  '/frames': html(
    'frames',
    '<iframe name="first" src="/form"></iframe><iframe name="second" src="/nested"></iframe>',
  ),
  '/nested': html('nested', '<iframe name="inner" src="/other"></iframe>'),
  '/form': html(
    'form',
    `<form action="/sent"><label>Who <input name="who"></label>
     <select name="size"><option>S<option>M<option>L</select> <input type="checkbox" name="news">
     <button>Send</button></form>
     <input type="file" id="file"><input type="file" id="files" multiple><output></output><script>
     for (const input of document.querySelectorAll('[type=file]')) input.onchange = async ({ target }) => {
       const told = await Promise.all([...target.files].map(async (file) => file.name + ':' + file.size + ':' + file.type));
       document.querySelector('output').textContent = told.join(' ') || 'none'; };</script>`,
  ),
  '/sent': html('sent', '<p id="query"></p><script>query.textContent = location.search</script>'),
  '/worker': html(
    'worker',
    '<script>const worker = new Worker("/worker.js"); worker.onmessage = ({ data }) => { document.title = data }</script>',
  ),
  '/worker.js': script(
    'self.answer = 42; console.log("from the worker"); fetch("/echo?worker").then(() => postMessage("worker done"))',
  ),
  '/shared': html(
    'shared',
    '<script>const port = new SharedWorker("/shared.js").port; port.onmessage = ({ data }) => { document.title = data }; port.start()</script>',
  ),
  '/shared.js': script('onconnect = ({ ports: [port] }) => port.postMessage("shared says hello")'),
  '/service': html(
    'service',
    `<script>window.ready = navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready)
       .then(() => new Promise((resolve) => navigator.serviceWorker.controller ? resolve()
         : navigator.serviceWorker.addEventListener('controllerchange', resolve)))</script>`,
  ),
  '/service.js': script(
    `self.answer = 43; oninstall = () => skipWaiting(); onactivate = (event) => event.waitUntil(clients.claim());
     onfetch = (event) => { if (event.request.url.endsWith('/from-worker')) event.respondWith(new Response('made by the worker')) }`,
  ),
  '/pointer': html(
    'pointer',
    `${recorder}<style>body { margin: 0 } #pad { width: 200px; height: 100px; background: #ccc }</style>
     <div id="pad" tabindex="0">pad</div><div style="height: 3000px"></div><script>
     record(pad, 'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'contextmenu', 'touchstart', 'touchend');
     window.place = null; pad.addEventListener('click', ({ clientX, clientY }) => { place = [clientX, clientY] })</script>`,
  ),
  '/keys': html(
    'keys',
    `${recorder}<input id="field"><textarea id="area"></textarea><script>
     record(field, 'keydown', 'keypress', 'input', 'keyup', 'focus', 'blur')</script>`,
  ),
  '/drag': html(
    'drag',
    `<style>body { margin: 0 } #from, #to { width: 100px; height: 100px; background: #ccc; margin: 10px }</style>
     <div id="from" draggable="true">from</div><div id="to">to</div><script>window.seen = [];
     from.ondragstart = (event) => { seen.push('dragstart'); event.dataTransfer.setData('text/plain', 'carried') };
     to.ondragenter = to.ondragover = (event) => { if (seen.at(-1) !== event.type) seen.push(event.type); event.preventDefault() };
     to.ondrop = (event) => { seen.push('drop ' + event.dataTransfer.getData('text/plain')); event.preventDefault() };
     from.ondragend = () => seen.push('dragend')</script>`,
  ),
  '/slide': html(
    'slide',
    '<style>body { margin: 0 }</style><input id="slider" type="range" value="0" style="width: 200px">',
  ),
  '/words': html(
    'words',
    '<style>body { margin: 0; font: 20px monospace }</style><p id="words" style="margin: 0">Some words to select here</p>',
  ),
  '/roles': html(
    'roles',
    `<main><h1>Title</h1><nav aria-label="Main"><ul><li><a href="/plain">Plain</a></li></ul></nav>
     <label>Name <input value="Ann"></label><button disabled>Off</button><input type="checkbox" aria-label="Agree" checked></main>`,
  ),
  '/tall': html(
    'tall',
    '<style>body { margin: 0 }</style><div style="width: 300px; height: 2500px; background: #00f"></div>',
  ),
  '/strict': html('strict', '<p>strict</p>', { 'content-security-policy': "script-src 'none'" }),
  '/sends': html('sends', '<script>navigator.sendBeacon("/beacon", "from the beacon")</script>'),
};

/** Pages that say what they see of the device, the media and the network they are on. */
export interface Look {
  name: string;
  width: number;
  height: number;
  scale: number;
  dark: boolean;
  reduced: boolean;
  touchPoints: number;
  hasTouch: boolean;
  coarse: boolean;
  userAgent: string;
  platform: string;
  orientation: string;
  online: boolean;
  hints?: { mobile: boolean; platform: string; brands: string[]; model: string };
}

const lookScript = `
const look = async (name = 'page') => {
  const hints = navigator.userAgentData;
  return {
    name, width: innerWidth, height: innerHeight, scale: devicePixelRatio,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    reduced: matchMedia('(prefers-reduced-motion: reduce)').matches,
    touchPoints: navigator.maxTouchPoints, hasTouch: 'ontouchstart' in window,
    coarse: matchMedia('(pointer: coarse)').matches,
    userAgent: navigator.userAgent, platform: navigator.platform, orientation: screen.orientation.type,
    online: navigator.onLine,
    hints: hints && { mobile: hints.mobile, platform: hints.platform, brands: hints.brands.map(({ brand }) => brand),
      model: (await hints.getHighEntropyValues(['model'])).model },
  };
};
const tell = async (name) => fetch('/report', { method: 'POST', body: JSON.stringify(await look(name)) });
`;

const page = (title: string, then: string): string =>
  `<!doctype html><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1">
<script>${lookScript}${then}</script>`;

const workerScript = `fetch('/report', { method: 'POST', body: JSON.stringify({
  name: 'worker', userAgent: navigator.userAgent, hints: { platform: navigator.userAgentData?.platform } }) })`;

export const lookPages: Record<string, string> = {
  '/look': page('look', "tell('page')"),
  '/look-popup': page('popup', "tell('popup')"),
  '/look-frame': page('frame', "tell('frame'); onmessage = () => tell('frame')"),
  '/reach.js': `const reach = () => fetch('/other?' + Math.random()).then(() => 'reached', () => 'failed');
    onmessage = async ({ data, ports: [port] }) => port.postMessage(await reach());`,
  '/reach-frame': '<!doctype html><title>reach frame</title><script src="/reach.js"></script>',
  '/reach': page(
    'reach',
    `const ask = (who, ...origin) => new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data);
      who.postMessage('reach', ...origin, [port2]);
    });
    const worker = new Worker('/reach.js');
    const registered = navigator.serviceWorker.register('/reach.js').then(() => navigator.serviceWorker.ready);
    const reachAll = async () => ({
      page: await fetch('/other?' + Math.random()).then(() => 'reached', () => 'failed'),
      worker: await ask(worker),
      frame: await ask(frames[0], '*'),
      serviceWorker: await ask((await registered).active),
      webSocket: await new Promise((resolve) => {
        const socket = new WebSocket(location.href.replace('http', 'ws').replace('/reach', '/socket'));
        socket.onopen = () => resolve('reached');
        socket.onerror = () => resolve('failed');
      }),
    });
    addEventListener('DOMContentLoaded', () => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.onload = () => Promise.all([registered, ask(worker)]).then(() => tell('reach'));
      frame.src = location.href.replace('127.0.0.1', 'localhost').replace('/reach', '/reach-frame');
    });`,
  ),
  '/look-around': page(
    'around',
    `tell('page');
    open('/look-popup');
    new Worker(URL.createObjectURL(new Blob([${JSON.stringify(workerScript)}.replaceAll("'/report'", "'" + origin + "/report'")])));
    addEventListener('DOMContentLoaded', () => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.src = location.href.replace('127.0.0.1', 'localhost').replace('/look-around', '/look-frame');
    });`,
  ),
};

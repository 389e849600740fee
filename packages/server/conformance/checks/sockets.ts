/** Connections that stay open. */
import type { WebSocket } from 'playwright-core';
import { type Checks, heard } from '../check.ts';

const talk = (port: number, words: string): string =>
  `new Promise((resolve) => { const socket = window.kept = new WebSocket('ws://127.0.0.1:${port}/socket'); const seen = [];
   socket.onopen = () => { ${words} }; socket.onmessage = ({ data }) => { seen.push(data); if (seen.length === 1) resolve(seen) };
   socket.onclose = ({ code, reason, wasClean }) => resolve([code, reason, wasClean]) })`;

export const sockets: Checks = {
  'a socket': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(talk(site.port, "socket.send('hello')"));
  },
  'a socket as a client sees it': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const opened = page.waitForEvent('websocket');
    const talking = page.evaluate(talk(site.port, "socket.send('hello')"));
    const socket: WebSocket = await opened;
    const frames = Promise.all([
      heard<{ payload: string | Buffer }>((listener) => socket.on('framesent', listener)),
      heard<{ payload: string | Buffer }>((listener) => socket.on('framereceived', listener)),
    ]);
    await talking;
    const [sent, received] = await frames;
    await Promise.all([socket.waitForEvent('close'), page.evaluate('kept.close()')]);
    return [socket.url(), sent.payload, received.payload, socket.isClosed()];
  },
  'bytes over a socket': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      `new Promise((resolve) => { const socket = new WebSocket('ws://127.0.0.1:${site.port}/socket'); socket.binaryType = 'arraybuffer';
       socket.onopen = () => socket.send(new Uint8Array([0, 255, 7])); socket.onmessage = ({ data }) => resolve([...new Uint8Array(data)]) })`,
    );
  },
  'a socket that its server closes': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(talk(site.port, "socket.send('close')"));
  },
  'a socket that cannot be opened': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(talk(site.closedPort, ''));
  },
  'a socket where none is served': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      `new Promise((resolve) => { const socket = new WebSocket('ws://127.0.0.1:${site.port}/plain'); socket.onclose = ({ code }) => resolve(code) })`,
    );
  },
  'a socket of a worker': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const source = `const socket = new WebSocket('ws://127.0.0.1:${site.port}/socket'); socket.onopen = () => socket.send('worker'); socket.onmessage = ({ data }) => postMessage(data)`;
    return page.evaluate(
      `new Promise((resolve) => { new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}]))).onmessage = ({ data }) => resolve(data) })`,
    );
  },
};

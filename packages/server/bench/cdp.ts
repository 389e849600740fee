/** One message and its answer, through the service's socket, beside Chromium's own debugging socket and its bare pipe. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type Row, summarize, timed } from './measure.ts';
import { rawPage, socketChromium } from './rivals.ts';
import { type Bench, startBench } from './service.ts';

const rounds = 500;
const bigRounds = 3;
const mebibytes = 64;

interface Talk {
  evaluate(expression?: string): Promise<unknown>;
  close(): void;
}

export async function talkTo(url: string): Promise<Talk> {
  const socket = new WebSocket(url, { maxPayload: 0, perMessageDeflate: false });
  await once(socket, 'open');
  let hear: (text: string) => void = () => undefined;
  socket.on('message', (data) => {
    const text = data.toString();
    if (text.startsWith('{"id"')) hear(text);
  });
  let lastId = 0;
  const ask = (method: string, params: object, sessionId?: string): Promise<string> =>
    new Promise((resolve) => {
      hear = resolve;
      socket.send(JSON.stringify({ id: ++lastId, method, params, sessionId }));
    });
  const { targetInfos } = JSON.parse(await ask('Target.getTargets', {})).result;
  const { targetId } = targetInfos.find(({ type }: { type: string }) => type === 'page');
  const { sessionId } = JSON.parse(await ask('Target.attachToTarget', { targetId, flatten: true })).result;
  return {
    evaluate: (expression = '1') => ask('Runtime.evaluate', { expression, returnByValue: true }, sessionId),
    close: () => socket.close(),
  };
}

export async function benchCdp(): Promise<Row[]> {
  await using bench = await startBench();
  await bench.settled();
  const { id } = await bench.create();
  const ours = await talkTo(await addressOf(bench, id));
  const chromium = await socketChromium();
  const theirs = await talkTo(chromium.url);
  const pipe = await rawPage();
  const through: number[] = [];
  const direct: number[] = [];
  const piped: number[] = [];
  for (let n = 0; n < rounds; n++) {
    through.push((await timed(() => ours.evaluate())).ms);
    direct.push((await timed(() => theirs.evaluate())).ms);
    piped.push((await timed(() => pipe.evaluate())).ms);
  }
  await pipe.close();
  const text = `window.big = '${'x'.repeat(mebibytes * 1024 ** 2)}'; big.length`;
  const big = {
    [`${mebibytes} MiB in, through the socket`]: [] as number[],
    [`${mebibytes} MiB in, Chromium’s own socket`]: [] as number[],
  };
  const back = {
    [`${mebibytes} MiB out, through the socket`]: [] as number[],
    [`${mebibytes} MiB out, Chromium’s own socket`]: [] as number[],
  };
  for (let n = 0; n < bigRounds; n++)
    for (const [index, talk] of [ours, theirs].entries()) {
      Object.values(big)[index]?.push((await timed(() => talk.evaluate(text))).ms);
      Object.values(back)[index]?.push((await timed(() => talk.evaluate('big'))).ms);
    }
  ours.close();
  theirs.close();
  await chromium.close();
  return [
    ...summarize('cdp', {
      'evaluate through the socket': through,
      'evaluate, Chromium’s own socket': direct,
      'evaluate, bare pipe': piped,
    }),
    ...summarize('cdp', big),
    ...summarize('cdp', back),
  ];
}

export const addressOf = async (bench: Bench, id: string): Promise<string> =>
  (await bench.call<{ url: string }>('POST', `/v1/browsers/${id}/capabilities`, { kind: 'cdp' })).url;

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kit/id.ts';
import { connect, type TestNode, TestNodes } from './test-nodes.ts';

let nodes: TestNodes;
let asked: TestNode;
let holder: TestNode;
let id: string;

beforeEach(async () => {
  nodes = new TestNodes();
  asked = await nodes.add();
  holder = await nodes.add();
  id = newId('browser');
  nodes.holders.set(id, holder);
});
afterEach(() => nodes[Symbol.asyncDispose]());

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${asked.url}/v1/browsers/${id}${path}`, init);

const run = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  call('/run', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

/** `reached` when a handler of the node waits at its gate; it stays there until the test lets go. */
function held(
  node: TestNode,
  when: 'at once' | 'after the first' = 'at once',
): { reached: Promise<void>; letGo: () => void } {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let passed = when === 'at once';
  node.gate = async () => {
    if (!passed) {
      passed = true;
      return;
    }
    reached.resolve();
    return gate.promise;
  };
  return { reached: reached.promise, letGo: gate.resolve };
}

describe('a call about a browser of another node', () => {
  test('is answered by that node, which is asked as the caller asked', async () => {
    const answer = await call('/status', {
      headers: { authorization: 'Bearer mine', 'x-request-id': 'req-1' },
    });
    expect(await answer.json()).toEqual({
      node: holder.bootId,
      id: 'req-1',
      host: new URL(asked.url).host,
      key: 'Bearer mine',
    });
    expect([asked.handled, holder.handled]).toEqual([[], ['status']]);
  });

  test('has its body there, whole', async () => {
    const body = { text: 'x'.repeat(5_000_000) };
    expect(await (await run(body)).json()).toEqual({ node: holder.bootId, body });
  });

  test('is answered here when the browser is', async () => {
    nodes.holders.set(id, asked);
    expect(await (await run({})).json()).toMatchObject({ node: asked.bootId });
  });

  test('is answered here when no node holds it', async () => {
    nodes.holders.set(id, 'none');
    expect(await (await run({})).json()).toMatchObject({ node: asked.bootId });
  });

  test('goes nowhere because of what a caller says of hops', async () => {
    nodes.holders.set(id, asked);
    const answer = await run({}, { 'x-browserd-hop': 'node_other, v1' });
    expect(await answer.json()).toMatchObject({ node: asked.bootId });
  });

  test('asks its caller for the body only when that node wants it', async () => {
    const { reached, letGo } = held(holder);
    let told = 0;
    const request = httpRequest(`${asked.url}/v1/browsers/${id}/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 2, expect: '100-continue' },
    });
    request.on('continue', () => {
      told++;
      request.end('{}');
    });
    const answered = once(request, 'response');
    request.flushHeaders();
    await reached;
    expect(told).toBe(1);
    letGo();
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(200);
  });

  test('streams as that node streams', async () => {
    const { reached, letGo } = held(holder, 'after the first');
    const answer = await call('/stream');
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
    expect(await next()).toBe('data: first\n\n');
    await reached;
    letGo();
    expect(await next()).toBe('data: last\n\n');
  });

  test('ends there when its caller hangs up', async () => {
    const { reached, letGo } = held(holder);
    const gone = new AbortController();
    const answer = call('/status', { signal: gone.signal }).catch(() => 'hung up');
    await reached;
    gone.abort();
    await answer;
    await expect.poll(() => holder.hungUp).toBe(1);
    letGo();
  });
});

describe('a node that does not hold its lease when it has the answer', () => {
  /** The answer is there, and waits. */
  async function waits(): Promise<{ answer: Promise<Response> }> {
    nodes.holders.set(id, asked);
    const { reached, letGo } = held(asked);
    const answer = run({ n: 1 });
    await reached;
    asked.leaseHeld = false;
    const before = asked.leaseLooks;
    letGo();
    await expect.poll(() => asked.leaseLooks).toBeGreaterThan(before + 2);
    return { answer };
  }

  test('sends it once the lease is renewed', async () => {
    const { answer } = await waits();
    asked.leaseHeld = true;
    expect(await read(await answer)).toMatchObject({ status: 200, body: { node: asked.bootId } });
  });

  test('never sends it when another node has its place, and says that the effect is not known', async () => {
    const { answer } = await waits();
    asked.replaced.resolve('declared gone');
    expect(await read(await answer)).toMatchObject({ status: 503, body: { error: { code: 'NODE_LOST' } } });
  });
});

describe('when the browser is not where it was said to be', () => {
  test('it is looked up again, and the call runs once, where it is', async () => {
    const third = await nodes.add();
    // The node that is asked first says that it does not hold it.
    const wrong = holder;
    wrong.leaseHeld = false;
    const answer = run({ n: 1 });
    await expect.poll(() => nodes.looks).toBeGreaterThan(1);
    nodes.holders.set(id, third);
    expect(await (await answer).json()).toEqual({ node: third.bootId, body: { n: 1 } });
    expect([wrong.handled, third.handled]).toEqual([[], ['{"n":1}']]);
  });

  test('a call waits while it is on its way to a node', async () => {
    nodes.holders.set(id, 'waits');
    const answer = run({ n: 2 });
    await expect.poll(() => nodes.looks).toBeGreaterThan(1);
    nodes.holders.set(id, holder);
    expect(await (await answer).json()).toMatchObject({ node: holder.bootId });
  });

  test.for([
    ['another node', () => holder],
    ['the node that was asked', () => asked],
  ] as const)('a call waits while it comes up on %s', async ([, where]) => {
    const node = where();
    nodes.holders.set(id, node);
    node.comingUp = true;
    const answer = run({ n: 4 });
    await expect.poll(() => nodes.looks).toBeGreaterThan(2);
    expect(node.handled).toEqual([]);
    node.comingUp = false;
    expect(await (await answer).json()).toMatchObject({ node: node.bootId });
  });

  test('it may have come here meanwhile', async () => {
    holder.leaseHeld = false;
    const answer = run({ n: 3 });
    await expect.poll(() => nodes.looks).toBeGreaterThan(1);
    nodes.holders.set(id, asked);
    expect(await (await answer).json()).toEqual({ node: asked.bootId, body: { n: 3 } });
  });
});

describe('when another node takes the browser while its call is begun', () => {
  const resume = (body?: unknown): Promise<Response> =>
    call('/resume', {
      method: 'POST',
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });

  test.for([undefined, { n: 5 }])('that node answers it, with the body %o', async (body) => {
    nodes.holders.set(id, 'none');
    asked.gate = async () => void nodes.holders.set(id, holder);
    const answer = await read(await resume(body));
    expect(answer).toEqual({ status: 200, body: { node: holder.bootId, ...(body && { body }) } });
    expect([asked.handled, holder.handled]).toEqual([['resume'], ['resume']]);
  });

  test('it is taken up here again when that node has let go of it', async () => {
    nodes.holders.set(id, 'none');
    asked.gate = async () => void (asked.handled.length > 1 && nodes.holders.set(id, asked));
    expect(await (await resume()).json()).toEqual({ node: asked.bootId });
    expect(asked.handled).toEqual(['resume', 'resume']);
  });

  test('and it was passed on before, it is passed on to that node instead', async () => {
    const third = await nodes.add();
    holder.gate = async () => void nodes.holders.set(id, third);
    expect(await (await resume()).json()).toEqual({ node: third.bootId });
    expect([asked.handled, holder.handled, third.handled]).toEqual([[], ['resume'], ['resume']]);
  });
});

describe('when its node is lost', () => {
  test('before the call has begun, the call waits for the next holder', async () => {
    const third = await nodes.add();
    await holder.kill();
    const answer = run({ n: 1 });
    await expect.poll(() => nodes.looks).toBeGreaterThan(1);
    nodes.holders.set(id, third);
    expect(await (await answer).json()).toMatchObject({ node: third.bootId });
  });

  test('a call that may have taken effect is never repeated', async () => {
    const third = await nodes.add();
    const { reached } = held(holder);
    const answer = run({ n: 1 });
    await reached;
    nodes.holders.set(id, third);
    await holder.kill();
    const { status, body } = await read(await answer);
    expect([status, body]).toMatchObject([503, { error: { code: 'NODE_LOST', nextStep: 'observe' } }]);
    expect([holder.handled, third.handled]).toEqual([['{"n":1}'], []]);
  });

  test('nor is one without a body', async () => {
    const third = await nodes.add();
    const { reached } = held(holder);
    const answer = call('/stop', { method: 'POST' });
    await reached;
    nodes.holders.set(id, third);
    await holder.kill();
    expect(await read(await answer)).toMatchObject({ status: 503, body: { error: { code: 'NODE_LOST' } } });
    expect(third.handled).toEqual([]);
  });

  test.for([
    ['a call that only reads', () => call('/status')],
    ['a call with a key', () => run({ n: 1 }, { 'idempotency-key': 'once' })],
  ] as const)('%s is repeated at the next holder', async ([, send]) => {
    const third = await nodes.add();
    const { reached } = held(holder);
    const answer = send();
    await reached;
    nodes.holders.set(id, third);
    await holder.kill();
    expect(await (await answer).json()).toMatchObject({ node: third.bootId });
  });

  test('a call with a key is repeated here, when this node is the next', async () => {
    const { reached } = held(holder);
    const answer = run({ n: 1 }, { 'idempotency-key': 'once' });
    await reached;
    nodes.holders.set(id, asked);
    await holder.kill();
    expect(await (await answer).json()).toEqual({ node: asked.bootId, body: { n: 1 } });
  });

  test('without a word, the call ends when no sign of life comes', async () => {
    const { reached } = held(holder);
    const answer = run({ n: 1 });
    await reached;
    holder.fallSilent();
    expect(await read(await answer)).toMatchObject({ status: 503, body: { error: { code: 'NODE_LOST' } } });
  });

  test('a call that takes long is waited for while its node lives', async () => {
    const { reached, letGo } = held(holder);
    const answer = run({ n: 1 });
    await reached;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    letGo();
    expect((await answer).status).toBe(200);
  });

  test('an answer that was begun does not look complete', async () => {
    const { reached } = held(holder, 'after the first');
    const answer = await call('/stream');
    await reached;
    await holder.kill();
    await expect(answer.text()).rejects.toThrow();
  });

  test('and no other takes the browser, the caller is told to repeat the call', async () => {
    await holder.kill();
    const { status, body } = await read(await run({ n: 1 }));
    expect([status, body]).toMatchObject([503, { error: { code: 'NODE_LOST', nextStep: 'retry' } }]);
    expect(holder.handled).toEqual([]);
  });
});

describe('a socket to a browser of another node', () => {
  const said = async (socket: Awaited<ReturnType<typeof connect>>, text: string): Promise<string> => {
    const heard = once(socket, 'message');
    socket.send(text);
    return String((await heard)[0]);
  };

  test('speaks with that node', async () => {
    const socket = await connect(asked, id);
    const long = 'x'.repeat(300_000);
    expect(await said(socket, 'hello')).toBe('heard hello');
    expect(await said(socket, long)).toBe(`heard ${long}`);
    socket.close();
    await once(socket, 'close');
  });

  test('ends with 1012 when that node is lost, and the same address works again', async () => {
    const third = await nodes.add();
    const socket = await connect(asked, id);
    expect(await said(socket, 'hello')).toBe('heard hello');
    const closed = once(socket, 'close');
    nodes.holders.set(id, third);
    await holder.kill();
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1012, expect.stringMatching(/^NODE_LOST: .*connect again/)]);
    const next = await connect(asked, id);
    expect(await said(next, 'again')).toBe('heard again');
    next.close();
  });

  test('ends with 1001 when this node stops', async () => {
    const socket = await connect(asked, id);
    const closed = once(socket, 'close');
    asked.splices.close();
    expect((await closed)[0]).toBe(1001);
  });
});

describe('a create', () => {
  const create = (body: unknown, headers = {}): Promise<Response> =>
    fetch(`${asked.url}/v1/browsers`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  test('stays on the node that was asked while that has room', async () => {
    expect(await (await create({ n: 1 })).json()).toEqual({ node: asked.bootId, body: { n: 1 } });
  });

  test('goes to a node with room when this one has none', async () => {
    asked.room.used = 10;
    expect(await (await create({ n: 1 })).json()).toEqual({ node: holder.bootId, body: { n: 1 } });
  });

  test('goes to a node that is far less full', async () => {
    await nodes.add();
    asked.room.used = 4;
    expect(await (await create({})).json()).not.toMatchObject({ node: asked.bootId });
  });

  test('goes to a node that joined just now, though most are as full as this one', async () => {
    const joined = await nodes.add();
    asked.room.used = holder.room.used = 5;
    const answer = await create({}, { 'idempotency-key': 'once' });
    expect(await answer.json()).toMatchObject({ node: joined.bootId });
    expect(asked.sent).toEqual([joined.bootId]);
  });

  test('comes back when no other has room after all', async () => {
    asked.room.used = 10;
    // Others have heard of a room that is gone.
    Object.defineProperty(holder, 'member', { value: () => ({ ...memberOf(holder), used: 0 }) });
    holder.room.used = 10;
    expect(await (await create({ n: 1 })).json()).toEqual({ node: asked.bootId, body: { n: 1 } });
    expect(holder.handled).toEqual([]);
  });

  test('with a key is begun again elsewhere when its node is lost', async () => {
    const third = await nodes.add();
    third.room.used = 5;
    asked.room.used = 10;
    const { reached } = held(holder);
    const answer = create({ n: 1 }, { 'idempotency-key': 'once' });
    await reached;
    await holder.kill();
    expect(await (await answer).json()).toEqual({ node: third.bootId, body: { n: 1 } });
  });
});

const memberOf = (node: TestNode) => Object.getPrototypeOf(node).member.call(node);

const read = async (response: Response) => ({ status: response.status, body: await response.json() });

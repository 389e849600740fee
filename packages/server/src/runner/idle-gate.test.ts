import { expect, test } from 'vitest';
import { IdleGate } from './idle-gate.ts';

const json = (message: object): Buffer => Buffer.from(JSON.stringify(message));
const attached = (sessionId: string, targetId: string, type = 'page'): Buffer =>
  json({
    method: 'Target.attachedToTarget',
    params: { sessionId, targetInfo: { targetId, type }, waitingForDebugger: true },
  });
const detached = (sessionId: string): Buffer =>
  json({ method: 'Target.detachedFromTarget', params: { sessionId } });
const command = (method: string, sessionId?: string, params: object = {}): Buffer =>
  json({ id: 1, method, params, sessionId });

test('during a call everything passes, between calls nothing that acts', () => {
  const gate = new IdleGate();
  gate.watch(attached('a', 'page'));
  const acts = ['Runtime.evaluate', 'Runtime.callFunctionOn', 'Page.navigate', 'Input.dispatchKeyEvent'];
  for (const method of acts) expect(gate.refusal(command(method, 'a'))).toBeUndefined();
  gate.refusal(command('Runtime.runIfWaitingForDebugger', 'a'));
  gate.shut();
  for (const method of [...acts, 'Page.addScriptToEvaluateOnNewDocument', 'Fetch.enable'])
    expect(gate.refusal(command(method, 'a'))).toBe(`${method} while no call runs`);
  expect(gate.refusal(command('Target.createTarget'))).toMatch('Target.createTarget');
  expect(gate.refusal(Buffer.from('{"method":"Page.enable","method":"Page.navigate"}'))).toMatch('navigate');
  expect(gate.refusal(Buffer.from('null'))).toMatch('without a method');
  expect(gate.refusal(Buffer.alloc(2 * 1024 ** 2, ' '))).toMatch('long');
  expect(gate.received).toBe(15);
  gate.open();
  for (const method of acts) expect(gate.refusal(command(method, 'a'))).toBeUndefined();
});

test('a target that appears between calls, or just before the end of one, is taken up until it is released', () => {
  const gate = new IdleGate();
  gate.watch(attached('before', 'one'));
  gate.shut();
  gate.watch(attached('after', 'two'));
  for (const session of ['before', 'after']) {
    for (const method of ['Page.enable', 'Runtime.enable', 'Page.addScriptToEvaluateOnNewDocument'])
      expect(gate.refusal(command(method, session))).toBeUndefined();
    expect(gate.refusal(command('Page.navigate', session))).toBeDefined();
    expect(gate.refusal(command('Runtime.runIfWaitingForDebugger', session))).toBeUndefined();
    expect(gate.refusal(command('Page.addScriptToEvaluateOnNewDocument', session))).toBeDefined();
    expect(gate.refusal(command('Page.createIsolatedWorld', session))).toBeUndefined();
  }
});

test('a request that was held goes on as it came, not as another', () => {
  const gate = new IdleGate();
  gate.shut();
  expect(gate.refusal(command('Fetch.continueRequest', 'a', { requestId: '1' }))).toBeUndefined();
  expect(gate.refusal(command('Fetch.continueRequest', 'a', { requestId: '1', url: 'x' }))).toBeDefined();
});

test('a second session of a page, or one of the browser, is a call’s own', () => {
  const gate = new IdleGate();
  gate.watch(attached('a', 'page'));
  gate.watch(attached('w', 'worker', 'service_worker'));
  gate.watch(attached('w2', 'worker', 'service_worker'));
  expect(gate.hasExtraSessions).toBe(false);
  gate.watch(attached('b', 'page'));
  expect(gate.hasExtraSessions).toBe(true);
  gate.watch(detached('b'));
  expect(gate.hasExtraSessions).toBe(false);
  gate.watch(attached('c', 'x', 'browser'));
  expect(gate.hasExtraSessions).toBe(true);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openPipe, settled } from '../pipe/mux-pipe.fixture.ts';
import { protocol } from './filter.fixture.ts';
import { openMethods } from './methods.ts';
import { ruledMethods } from './rules.ts';

test('whatever a client sends, only what the tables allow reaches Chromium', async () => {
  const method = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...protocol) },
    fc.constantFrom(...openMethods, ...ruledMethods.keys()),
    fc.string(),
  );
  const names =
    'url files handle sessionId targetId flatten proxyServer behavior browserContextId data'.split(' ');
  const params = fc.oneof(
    fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), fc.constantFrom('file:///x', true))),
    fc.jsonValue(),
  );
  const message = fc.oneof(
    fc
      .record({ id: fc.integer(), method, params }, { requiredKeys: ['id', 'method'] })
      .map((sent) => JSON.stringify(sent)),
    fc
      .record({ id: fc.jsonValue(), method: fc.jsonValue(), sessionId: fc.jsonValue() })
      .map((sent) => JSON.stringify(sent)),
    fc.json(),
    fc.string(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (messages) => {
      const pipe = openPipe();
      const { client, browserSession } = await pipe.open();
      for (const each of messages) client.send(each);
      await settled();
      for (const sent of pipe.sent.slice(1)) {
        expect(openMethods.has(sent.method) || ruledMethods.has(sent.method)).toBe(true);
        if (sent.sessionId === undefined)
          expect(sent.method).toMatch(/^Browser\.|^Target\.detachFromTarget$/);
        else expect(sent.sessionId).toBe(browserSession);
        if (openMethods.has(sent.method)) continue;
        expect(sent.params).not.toHaveProperty('proxyServer');
        expect(sent.params.files ?? []).toEqual([]);
        expect(JSON.stringify(sent.params.url ?? '')).not.toMatch(/file:/);
      }
    }),
    { numRuns: 300 },
  );
});

import { expect, test } from 'vitest';
import { exit, openTunnel } from '../egress.fixture.ts';

test("Chromium's own background calls are refused without a word", async () => {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<string[]> => {
    asked.push(host);
    return [];
  };
  const egress = await exit({ resolve, callsItsVendor: true });
  egress.allow({});
  const { status, headers } = await openTunnel(egress, 'update.googleapis.com:443');
  expect(status).toBe(403);
  expect(headers).toContain('background_service');
  expect([egress.refusals, egress.stats().refused, asked]).toEqual([[], 0, []]);
});

test('the same hosts are told where Chromium never calls them by itself, so a page must have asked', async () => {
  const egress = await exit();
  egress.allow({});
  expect((await openTunnel(egress, 'update.googleapis.com:443')).status).toBe(403);
  expect(egress.refusals).toMatchObject([{ host: 'update.googleapis.com', rule: 'background_service' }]);
  expect(egress.stats().refused).toBe(1);
});

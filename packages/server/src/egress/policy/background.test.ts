import { expect, test } from 'vitest';
import { exit, openTunnel } from '../egress.fixture.ts';

test("Chromium's own background calls are refused without a word", async () => {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<string[]> => {
    asked.push(host);
    return [];
  };
  const egress = await exit({ resolve });
  egress.allow({});
  const { status, headers } = await openTunnel(egress, 'update.googleapis.com:443');
  expect(status).toBe(403);
  expect(headers).toContain('background_service');
  expect([egress.refusals, egress.stats().refused, asked]).toEqual([[], 0, []]);
});

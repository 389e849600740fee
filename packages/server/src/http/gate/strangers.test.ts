import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { strangers } from '../wire/wire.ts';
import { createStrangers } from './strangers.ts';

const from = (ip: string, url = '/health') => ({ ip, routeOptions: { url } }) as FastifyRequest;
const reply = {} as FastifyReply;

function counting() {
  const clock = { ms: 500 };
  const counted: string[] = [];
  const limit = async ({ ip }: FastifyRequest): Promise<void> => void counted.push(ip);
  return { clock, counted, askers: createStrangers(limit, () => clock.ms) };
}

test('an address that asks for health more often than any machine is counted from there on, and nobody else', async () => {
  const { clock, counted, askers } = counting();
  const ask = (ip: string, url?: string) => askers.enterAtOnce(from(ip, url), reply);
  for (let n = 0; n < 53; n++) await ask('10.0.0.1');
  expect(counted).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.1']);
  await ask('10.0.0.2');
  await ask('10.0.0.1', '/health/ready');
  expect(counted).toHaveLength(3);
  clock.ms += 1000;
  await ask('10.0.0.1');
  expect(counted).toHaveLength(3);
});

test('a crowd of addresses is counted once there are too many to tell apart', async () => {
  const { counted, askers } = counting();
  for (let n = 0; n < 10_001; n++) await askers.enterAtOnce(from(`10.0.${n >> 8}.${n & 255}`), reply);
  expect(counted).toEqual(['10.0.39.16']);
});

test('whoever asks without a key waits for the time of strangers, and health does not', async () => {
  const { counted, askers } = counting();
  strangers.estimate(100);
  const seen: string[] = [];
  const unknown = askers.enter(from('10.0.0.1', '/nowhere'), reply).then(() => seen.push('unknown path'));
  await askers.enterAtOnce(from('10.0.0.1'), reply).then(() => seen.push('health'));
  await unknown;
  expect(seen).toEqual(['health', 'unknown path']);
  expect(counted).toEqual(['10.0.0.1']);
});

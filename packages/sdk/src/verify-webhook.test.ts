import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook } from './verify-webhook.ts';

/** Signed by an independent implementation of the same convention. */
const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;
const body = JSON.stringify({
  type: 'browser.ready',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { é: '✓' },
});
const delivered = (at = new Date(), text = body, key = secret) => ({
  body: text,
  headers: {
    'webhook-id': 'event_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('event_1', at, text),
  },
  secret,
});

test('a delivery that the secret signed is read, in every shape that headers and bodies come in', async () => {
  const { headers } = delivered();
  const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
  for (const shape of [headers, new Headers(headers), Object.fromEntries(upper)])
    for (const text of [body, new TextEncoder().encode(body)])
      expect(await verifyWebhook({ body: text, headers: shape, secret })).toEqual(JSON.parse(body));
});

test('one of several signatures is enough, as while a secret is changed', async () => {
  const { headers } = delivered();
  const signatures = ['v1a,AAAA', 'v1,not base64!', 'v1,AAAA', headers['webhook-signature']].join(' ');
  await verifyWebhook({ body, secret, headers: { ...headers, 'webhook-signature': signatures } });
});

test('what was changed, is old, or was signed by another is refused', async () => {
  const good = delivered();
  const other = `whsec_${Buffer.from('another').toString('base64')}`;
  const hour = 3_600_000;
  const wrong = [
    { ...good, body: body.replace('ready', 'closed') },
    { ...good, headers: { ...good.headers, 'webhook-id': 'event_2' } },
    { ...good, headers: { ...good.headers, 'webhook-timestamp': 'soon' } },
    { ...good, headers: {} },
    delivered(new Date(Date.now() - hour)),
    delivered(new Date(Date.now() + hour)),
    delivered(new Date(), body, other),
    delivered(new Date(), 'not JSON'),
  ];
  for (const each of wrong)
    await expect(verifyWebhook(each)).rejects.toMatchObject({ code: 'WEBHOOK_REFUSED' });
  await verifyWebhook({ ...delivered(new Date(Date.now() - hour)), toleranceSeconds: 4000 });
});

test('a secret that is none is the receiver’s own mistake', async () => {
  for (const none of ['', 'whsec_', 'whsec_%'])
    await expect(verifyWebhook({ ...delivered(), secret: none })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
});

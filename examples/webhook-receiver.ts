// A server that receives events and accepts only signed ones. Ctrl-C deletes the webhook again.
//
//   npm run example -- webhook-receiver [public address of this program]
//
// Without an address it listens for a service on the same machine, which must allow that:
// BROWSERD_WEBHOOK_PRIVATE_ACCESS=localhost
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Browserd, verifyWebhook } from '@browserd/sdk';

let secret = '';
const seen = new Set<string>();

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const message = await verifyWebhook({ body: await text(request), headers: request.headers, secret });
    response.writeHead(204).end();
    // Deliveries come at least once, in no guaranteed order: the id reveals repetitions, `seq` the order.
    const id = String(request.headers['webhook-id']);
    if (!seen.has(id)) console.log(message.type, JSON.stringify(message.data));
    seen.add(id);
  } catch (error) {
    console.error(String(error));
    response.writeHead(400).end();
  }
}

const server = createServer((request, response) => void receive(request, response));
server.listen(Number(process.env.PORT ?? 0));
await once(server, 'listening');

const { port } = server.address() as AddressInfo;
const client = new Browserd();
const webhook = await client.webhooks.create({
  url: process.argv[2] ?? `http://127.0.0.1:${port}/`,
  events: ['browser.*', 'download.*'],
});
secret = webhook.secret;
console.log(`Listening as ${webhook.url}`);

// The terminal and npm both pass a Ctrl-C on: the second one must not end the program before it has tidied up.
await new Promise((resolve) => process.on('SIGINT', resolve));
await client.webhooks.delete(webhook.id);
server.close();

import { randomBytes } from 'node:crypto';
import { createServer as createPlainServer, get as getPlain } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
} from 'node:tls';
import { describe, expect, test } from 'vitest';
import { makeAuthority } from '../egress/vouch/vouch.fixture.ts';
import { hopAgent, hopBoot, hopServerOptions, hopTo } from './hop.ts';

const secret = randomBytes(32);

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('the way between nodes', () => {
  test('serves those who have the key, over one connection', async () => {
    await using node = await inner(secret);
    using agent = agentWith(secret);
    const first = await ask(agent, node.port);
    const second = await ask(agent, node.port);
    expect([first.text, second.text]).toEqual(['TLSv1.3', 'TLSv1.3']);
    expect(second.socket).toBe(first.socket);
  });

  test('has nothing for those who have another key', async () => {
    await using node = await inner(secret);
    using agent = agentWith(randomBytes(32));
    await expect(ask(agent, node.port)).rejects.toThrow();
    expect(node.asked()).toBe(0);
  });

  test('has nothing for those who speak without TLS', async () => {
    await using node = await inner(secret);
    await expect(
      new Promise((resolve, reject) => getPlain({ port: node.port }, resolve).on('error', reject)),
    ).rejects.toThrow();
    expect(node.asked()).toBe(0);
  });

  test('tells nothing to a server that has no key, even one whose certificate all trust', async () => {
    const trusted = getCACertificates('default');
    const authority = makeAuthority('trusted by all');
    const made = authority.issue({ host: 'localhost' });
    setDefaultCACertificates([...trusted, authority.cert]);
    let heard = '';
    const server = createTlsServer(made, (socket) =>
      socket.on('data', (data) => (heard += data)).on('error', () => undefined),
    );
    const port = await listening(server);
    using agent = agentWith(secret);
    await expect(ask(agent, port, 'localhost')).rejects.toThrow(/no key of this cluster/);
    expect(heard).toBe('');
    setDefaultCACertificates(trusted);
    server.close();
  });

  test('tells nothing to a server without TLS', async () => {
    let asked = 0;
    const server = createPlainServer(() => asked++);
    const port = await listening(server);
    using agent = agentWith(secret);
    await expect(ask(agent, port)).rejects.toThrow();
    expect(asked).toBe(0);
    server.close();
  });
});

test('a request that is passed on names the boot it is for', () => {
  expect(hopBoot(hopTo('node_a'))).toBe('node_a');
  expect(hopBoot('node_a')).toBeUndefined();
  expect(hopBoot('node_a, v9')).toBeUndefined();
  expect(hopBoot(undefined)).toBeUndefined();
});

async function inner(key: Uint8Array) {
  let asked = 0;
  const server = createServer(hopServerOptions(key), (incoming, response) => {
    asked++;
    response.end((incoming.socket as TLSSocket).getProtocol());
  });
  server.on('tlsClientError', () => undefined);
  const port = await listening(server);
  return {
    port,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const agentWith = (key: Uint8Array) => {
  const agent = hopAgent(key);
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() });
};

function ask(agent: ReturnType<typeof hopAgent>, port: number, host = '127.0.0.1') {
  return new Promise<{ text: string; socket: unknown }>((resolve, reject) => {
    request({ agent, host, port }, (answer) => {
      let text = '';
      const { socket } = answer;
      answer.on('data', (data) => (text += data)).on('end', () => resolve({ text, socket }));
    })
      .on('error', reject)
      .end();
  });
}

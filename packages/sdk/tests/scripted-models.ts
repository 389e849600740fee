import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands for the APIs of three makers: what the model says is written down before, what it is told is kept. */
export interface ScriptedModels extends AsyncDisposable {
  url: string;
  /** The bodies of the requests, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
  asked: any[];
  /** Answers of the model from now on, one a request; the last is its end. */
  script(answers: object[]): void;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

export async function startModels(): Promise<ScriptedModels> {
  const asked: unknown[] = [];
  let answers: object[] = [];
  const server: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      asked.push(body);
      const answer = answers.shift();
      response.writeHead(answer ? 200 : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: 'The script of the model is over.' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    script(next) {
      asked.length = 0;
      answers = [...next];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

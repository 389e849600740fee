import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A service that speaks createTask/getTaskResult. */
export interface Provider extends AsyncDisposable {
  url: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  calls: { method: string; body: any }[];
  /** How often it is asked before it is ready. */
  patience: number;
  /** What it answers then; an error is answered at once. */
  answer: object;
}

export async function startProvider(): Promise<Provider> {
  const calls: Provider['calls'] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const method = (request.url ?? '').slice(1);
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const body: any = await json(request);
      calls.push({ method, body });
      const asked = calls.filter((call) => call.method === 'getTaskResult').length;
      const refused = 'errorId' in provider.answer;
      const said =
        method === 'createTask'
          ? { errorId: 0, taskId: 7, ...(refused && provider.answer) }
          : asked < provider.patience
            ? { errorId: 0, status: 'processing' }
            : { errorId: 0, status: 'ready', ...provider.answer };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(said));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: Provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    patience: 1,
    answer: {},
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
  return provider;
}

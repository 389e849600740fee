/** Where the trials take place: a real service, a shop on this machine, and a model that answers by rule. */
import { startBench } from '../bench/service.ts';
import { startModel } from './model.ts';
import { startShop } from './shop.ts';

export interface Addresses {
  id: string;
  /** Of its CDP, for clients that send the key in a header. */
  http: string;
  ws: string;
  /** With a token in it. */
  signed: string;
}

export interface World extends AsyncDisposable {
  url: string;
  key: string;
  shop: string;
  model: string;
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** A fresh browser that may visit the shop. */
  open(options?: object): Promise<Addresses>;
  close(id: string): Promise<unknown>;
}

const dayInSeconds = 86_400;

export async function openWorld(): Promise<World> {
  await using undo = new AsyncDisposableStack();
  const shop = undo.use(await startShop());
  const model = undo.use(await startModel());
  const service = undo.use(
    await startBench({
      BROWSERD_PRIVATE_ACCESS: 'localhost',
      BROWSERD_MCP_PRIVATE_ACCESS: 'on',
      BROWSERD_POOL_SIZE: '0',
    }),
  );
  const kept = undo.move();
  return {
    url: service.url,
    key: service.key,
    shop: shop.origin,
    model: model.url,
    call: service.call,
    async open(options = {}) {
      const { id } = await service.create({ policy: { privateAccess: { localhost: true } }, ...options });
      const wanted = { kind: 'cdp', ttlSeconds: dayInSeconds };
      const { url } = await service.call<{ url: string }>('POST', `/v1/browsers/${id}/capabilities`, wanted);
      const http = `${service.url}/v1/browsers/${id}/cdp`;
      return { id, http, ws: http.replace(/^http/, 'ws'), signed: url };
    },
    close: (id) => service.remove(id),
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
}

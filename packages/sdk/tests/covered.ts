import { readFileSync } from 'node:fs';

/** Which operations of the contract a client has used, seen from outside: by the addresses that it asked for. */
const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};

/** Without pages for people, and without the address of another protocol. */
export const contract = Object.entries(paths)
  .filter(([path]) => /^\/(v1|health|metrics)\b/.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      fits: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );

export class Covered {
  readonly operations = new Set<string>();

  readonly fetch: typeof globalThis.fetch = (input, init) => {
    const { method, url } = new Request(input instanceof Request ? input : String(input), {
      method: init?.method ?? 'GET',
    });
    this.asked(method, url);
    return fetch(input, init);
  };

  asked(method: string, url: string): void {
    const { pathname } = new URL(url);
    const found = contract.find((operation) => operation.method === method && operation.fits.test(pathname));
    if (!found) throw new Error(`The SDK asked for ${method} ${pathname}, which is not in the contract.`);
    this.operations.add(found.operationId);
  }
}

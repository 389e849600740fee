import { startServer, type TestServer } from '../../server/tests/support/server.ts';
import { type Site, startSite } from '../../server/tests/support/site.ts';
import { type CommandLine, commandLine } from './command-line.ts';

/** A service, a web site, and the program with its address and key. */
export interface CliWorld extends AsyncDisposable {
  site: Site;
  server: TestServer;
  cli: CommandLine;
  livingIds(): Promise<string[]>;
  createBrowser(settings?: object): Promise<string>;
}

const living = 'creating,ready,stopping,stopped,resuming,recovering,failed,closing';

/** `pages` of the site are those of a spec's own. */
export async function startCliWorld(pages: Record<string, string> = {}): Promise<CliWorld> {
  const site = await startSite(pages);
  const server = await startServer({ BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost' });
  const cli = await commandLine({ BROWSERD_URL: server.service.url, BROWSERD_API_KEY: server.api.key });
  return {
    site,
    server,
    cli,
    async livingIds() {
      const { body } = await server.api.call('GET', `/v1/browsers?status=${living}`);
      return body.items.map(({ id }: { id: string }) => id);
    },
    async createBrowser(settings = {}) {
      const local = { policy: { privateAccess: { localhost: true } } };
      return (await server.api.create({ ...local, ...settings })).body.id;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await site.close();
      await cli[Symbol.asyncDispose]();
    },
  };
}

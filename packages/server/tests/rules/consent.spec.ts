import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ConsentSite, startConsentSite } from '../support/consent-site.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: ConsentSite;
beforeAll(async () => {
  site = await startConsentSite();
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const open = { privateAccess: { localhost: true } };
const decline = { ...open, consent: 'decline' };
const patient = { timeout: 90_000, interval: 50 };

/** A name of its own for each page: the site remembers what was pressed there. */
let names = 0;
const newName = (): string => `site${++names}`;
const pressedAt = (name: string): string[] =>
  site.pressed.filter((each) => each.startsWith(`${name} `)).map((each) => each.slice(name.length + 1));

describe.each(['shell', 'full'])('in the engine %s', (engine) => {
  test.each(['onetrust', 'didomi', 'cookiebot', 'usercentrics', 'words'])(
    'a banner is declined by its own button: %s',
    async (maker) => {
      const name = newName();
      const { body } = await server.api.create({
        engine,
        policy: decline,
        startUrl: site.at(name, `/${maker}`),
      });
      await vi.waitFor(() => expect(pressedAt(name)).toEqual(['declined']), patient);
      await vi.waitFor(
        async () => expect((await server.api.get(body.id)).body.consent).toEqual({ declined: 1, failed: 0 }),
        patient,
      );
      await server.api.remove(body.id);
    },
  );
});

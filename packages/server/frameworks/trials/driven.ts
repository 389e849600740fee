/** Runs a program or a snippet of a guide at a fresh browser, and sees that the browser outlives it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { filledIn } from '../guide.ts';
import { runProgram } from '../programs.ts';
import type { Addresses, World } from '../world.ts';

export async function atBrowser(world: World, work: (at: Addresses) => Promise<void>): Promise<void> {
  const at = await world.open();
  try {
    await work(at);
    const { status } = await world.call<{ status: string }>('GET', `/v1/browsers/${at.id}`);
    assert.equal(status, 'ready', 'the browser goes on after the client has gone');
  } finally {
    await world.close(at.id);
  }
}

/** Prints what the guide promises. */
export const snippetPrints =
  (project: string, code: () => string, printed: string | RegExp) =>
  (world: World): Promise<void> =>
    atBrowser(world, async (at) => {
      const output = await runProgram(project, filledIn(code(), world, at));
      if (typeof printed === 'string') assert.equal(output.trim(), printed);
      else assert.match(output, printed);
    });

export const programEnds =
  (project: string, name: string) =>
  (world: World): Promise<void> =>
    atBrowser(world, async ({ http, ws, signed }) => {
      const code = readFileSync(new URL(`../programs/${name}.mjs`, import.meta.url), 'utf8');
      const env = {
        CDP_HTTP: http,
        CDP_WS: ws,
        SIGNED: signed,
        KEY: world.key,
        SHOP: world.shop,
        MODEL: world.model,
      };
      assert.match(await runProgram(project, code, env), /^done$/m);
    });

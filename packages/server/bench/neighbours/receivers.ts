/** What a hostile caller does with webhooks: receivers that never answer, and as much to tell them as it can. */
import { again, create, type World } from './world.ts';

type Attack = (world: World) => Promise<void>;

/** Takes every message and never answers. */
function openTarpit(world: World): string {
  world.pages.set('/tarpit', (request) => {
    world.did('messages that are never answered');
    request.resume();
  });
  return `${world.site}/tarpit`;
}

export const receiverAttacks: Record<string, Attack> = {
  'webhooks: a hundred that never answer, and events as fast as it can': async (world) => {
    const url = openTarpit(world);
    const id = await create(world);
    for (let n = 0; n < 100; n++) await world.ask('POST', '/v1/webhooks', { url }, { asAdmin: true });
    const one = () =>
      again(world, () => world.ask('POST', `/v1/browsers/${id}/capabilities`, { kind: 'live' }));
    await Promise.all(Array.from({ length: 16 }, one));
  },
  'webhooks: of jobs, that never answer': async (world) => {
    const wanted = { kind: 'batch', items: [{ html: '<p>a page' }], webhook: { url: openTarpit(world) } };
    const one = () =>
      again(world, async () => {
        const { text } = await world.ask('POST', '/v1/jobs', wanted);
        // Its end is what the webhook is told.
        await world.ask('POST', `/v1/jobs/${(JSON.parse(text) as { id: string }).id}/cancel`);
      });
    await Promise.all(Array.from({ length: 8 }, one));
  },
};

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CoveredFields,
  covered,
  letters,
  type Shown,
  startCoveredFields,
  viewport,
} from '../support/covered-fields.ts';
import { liveCapability, type Viewer, watch } from '../support/live-client.ts';
import { pathOf, untilMade, videoOf } from '../support/recording-client.ts';
import { type ScriptClient, scriptClient } from '../support/script-client.ts';
import { open } from '../support/secret-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let fields: CoveredFields;
let id: string;
let scripts: ScriptClient;
/** Another one looks at the pictures. */
let looking: ScriptClient;

beforeAll(async () => {
  [server, fields] = await Promise.all([startServer(), startCoveredFields()]);
  const { api } = server;
  const secret = { name: 'letters', value: letters, origins: [fields.origin] };
  expect((await api.call('POST', '/v1/secrets', { body: secret })).status).toBe(201);
  const [shown, looker] = await Promise.all([api.create({ ...open, viewport }), api.create(open)]);
  id = shown.body.id;
  scripts = scriptClient(server, id);
  looking = scriptClient(server, looker.body.id);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await fields[Symbol.asyncDispose]();
});

/** The plain field by a script, the others by the service; in the page, or in a frame of it. */
async function fillAll(where: 'page' | 'frame' = 'page'): Promise<void> {
  const { api } = server;
  const url = where === 'page' ? `${fields.origin}/fields` : `${fields.other}/framed`;
  await scripts.resultOf('await page.goto(args)', { args: url });
  if (where === 'frame') {
    const code = `const frame = page.frameLocator('#f'); await frame.locator('#plain').fill(args.letters);
      for (const id of args.covered) await secrets.fill(frame.locator('#' + id), 'letters')`;
    await scripts.resultOf(code, { args: { letters, covered } });
    return;
  }
  await scripts.resultOf(`await page.fill('#plain', args)`, { args: letters });
  for (const field of covered) {
    const body = { secret: 'letters', selector: `#${field}` };
    expect((await api.call('POST', `/v1/browsers/${id}/secrets/fill`, { body })).status).toBe(200);
  }
}

/** What a page may do to a field of a password so that its text is shown. */
const uncover = `await page.frames().at(-1).evaluate(async (ids) => {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  for (const field of ids.map((id) => document.getElementById(id))) {
    if (field.id === 'password') field.type = 'text';
    await drawn();
    field.removeAttribute('style');
    await drawn();
    field.classList.add('bare');
    await drawn();
    field.style.setProperty('-webkit-text-security', 'none', 'important');
    await drawn();
  }
}, args)`;

const filled: Shown = {
  dots: 'dots',
  plain: 'letters',
  text: 'dots',
  password: 'dots',
  area: 'dots',
  editable: 'dots',
};

/** In one of them all is filled, and in none is a letter of a secret. */
function expectCovered(seen: Shown[]): void {
  expect(seen).toContainEqual(filled);
  for (const shown of seen)
    for (const field of covered) expect(['empty', 'dots'], `${field} shows letters`).toContain(shown[field]);
}

async function screenshot(): Promise<Shown[]> {
  const { url, key } = server.api;
  const response = await fetch(`${url}/v1/browsers/${id}/screenshot`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(200);
  return fields.inPictures(looking, [await response.bytes()]);
}

async function startRecording(): Promise<string> {
  const { body } = await server.api.call('POST', pathOf(id));
  expect(body.state).toBe('recording');
  return body.id;
}

/** What each of its pictures shows. */
async function endedRecording(recordingId: string): Promise<Shown[]> {
  const { api } = server;
  await api.call('POST', pathOf(id, recordingId, '/stop'));
  const made = await untilMade(api, id, recordingId);
  expect(made.state).toBe('ready');
  const recorded = await fields.inVideo(looking, await videoOf(api, id, recordingId));
  expect(recorded.length).toBeGreaterThanOrEqual(made.frames - 1);
  return recorded;
}

const jpegs = (frames: Viewer['frames']): Uint8Array[] => frames.map(({ jpeg }) => jpeg);

test('the live view and a recording show dots where a secret was typed, and letters in the field beside it', async () => {
  const { api } = server;
  const { socketUrl } = await liveCapability(api, id, 'view');
  const viewer = await watch(socketUrl);
  const during = await startRecording();
  await fillAll();
  await scripts.resultOf(uncover, { args: covered });
  const recorded = await endedRecording(during);
  // A recording misses what stays for less than a fifth of a second, but its first picture shows what is there as it begins.
  recorded.push(...(await endedRecording(await startRecording())));
  // The viewer has every picture until here as soon as it sees that the plain field is empty.
  await scripts.resultOf(`await page.fill('#plain', '')`);
  await eventually(
    () => fields.inPictures(looking, jpegs(viewer.frames.slice(-1))),
    ([last]) => last?.plain === 'empty',
  );
  viewer.close();
  expectCovered(await fields.inPictures(looking, jpegs(viewer.frames)));
  expectCovered(recorded);
});

test('the dots stay in a frame of another site, too, whatever its page does to the fields', async () => {
  await fillAll('frame');
  await scripts.resultOf(uncover, { args: covered });
  expect(await screenshot()).toEqual([filled]);
});

test('Chromium does not put a secret back into a page that is left and returned to, as it does with other text', async () => {
  await fillAll();
  await scripts.resultOf('await page.goto(args); await page.goBack()', { args: `${fields.origin}/other` });
  const [shown] = await screenshot();
  expect(shown).toEqual({ ...filled, text: 'empty', password: 'empty', area: 'empty', editable: 'empty' });
});

import type { api } from '@browserd/sdk';
import { expect } from 'vitest';
import { caught, type Stories } from './story-world.ts';

/** Code in the browser: as functions and strings, failing, given up, and asked questions. */
export const codeStories: Stories = {
  'is a function with arguments, or a string; both typed': async ({ browser }) => {
    const sum: number = await browser.execute(({ args }) => args.a + args.b, { a: 1, b: 2 });
    expect(sum).toBe(3);
    const title: string = await browser.execute(async ({ page }) => page.title());
    expect(title).toBe('Form');
    expect(await browser.execute<string>('return args + (await page.title())', 'the ')).toBe('the Form');
    expect(await browser.execute(async () => undefined)).toBe(null);
  },

  'acts by the references of what it saw in the call before': async ({ browser }) => {
    const look = { observation: { kind: 'aria', includeOn: 'always' } } as const;
    const { observation } = await browser.run('return page.title()', { capture: look });
    const refOf = (what: RegExp) => what.exec(observation?.content ?? '')?.[1] ?? '';
    const args = {
      name: refOf(/textbox "Name".*?\[ref=(\w+)\]/),
      send: refOf(/button "Send".*?\[ref=(\w+)\]/),
    };
    const after = await browser.run(
      async ({ page, args: refs, console: log }) => {
        log.info('filling in');
        await page.locator(`aria-ref=${refs.name}`).fill('Ada');
        await page.locator(`aria-ref=${refs.send}`).click();
      },
      { args, capture: { status: true } },
    );
    expect(after).toMatchObject({
      success: true,
      page: { title: 'Hello Ada' },
      logs: [{ text: 'filling in' }],
    });
  },

  'is not needed to see a page, or what has changed on it': async ({ browser }) => {
    const { content, tokens, id } = await browser.observe();
    expect(content).toMatch(/\[ref=e\d+\]/);
    expect(tokens).toBeGreaterThan(0);
    await browser.execute("await page.evaluate(() => document.body.append('Something new'))");
    const next = await browser.observe({ as: 'diff', since: id });
    expect(next).toMatchObject({ changed: true, content: expect.stringContaining('Something new') });
    expect(await browser.observe({ find: { text: 'something new' } })).toMatchObject({ matches: 1 });
  },

  'is not needed by a model that acts by places in a picture': async ({ browser }) => {
    const { x, y } = await browser.execute(async ({ page }) => {
      const box = await page.getByRole('textbox').first().boundingBox();
      return { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 };
    });
    const answer = await browser.computer(
      [
        { type: 'click', x, y },
        { action: 'type', text: 'seen' },
      ],
      { screenshot: { format: 'png' }, scale: { maxSide: 640 } },
    );
    expect(answer).toMatchObject({ success: true, actions: [{ type: 'click' }, { type: 'type' }] });
    expect(answer.picture).toMatchObject({ mimeType: 'image/png', width: 640 });
    const failed = await browser.computer({ type: 'click', x: 9999, y: 1 });
    expect(failed).toMatchObject({ success: false, failedIndex: 0, error: { code: 'POINT_OUTSIDE_SCREEN' } });
    await expect(browser.computer({ type: 'fly' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  },

  'tells its logs as they come': async ({ browser }) => {
    const enough = new AbortController();
    const heard: string[] = [];
    const onLog = ({ level, text }: { level: string; text: string }) => {
      heard.push(`${level} ${text}`);
      if (text === 'and on') enough.abort(new Error('heard enough'));
    };
    const endless = "console.log('on it'); console.warn('and on'); await sleep(100_000)";
    const error = await caught(browser.run(endless, { timeoutMs: 110_000, onLog, signal: enough.signal }));
    expect(error).toMatchObject({ message: 'heard enough' });
    expect(heard).toEqual(['log on it', 'warn and on']);

    heard.length = 0;
    const done = await browser.run("console.log('once'); return 7", { onLog });
    expect(done).toMatchObject({ success: true, result: 7, logs: [{ text: 'once' }] });
    expect(heard).toEqual(['log once']);
    await expect(browser.execute("throw new Error('mine')", undefined, { onLog })).rejects.toThrow('mine');
  },

  'shows what it asked of the network, with headers, bodies and as a HAR': async ({ browser }) => {
    const [request] = await browser.network.list({ type: ['document'], limit: 1 }).all(1);
    expect(request).toMatchObject({ method: 'GET', status: 200, state: 'finished' });
    const id = request?.id ?? '';
    expect((await browser.network.get(id)).requestHeaders.length).toBeGreaterThan(0);
    expect(await (await browser.network.content(id)).text()).toContain('<title>Form</title>');
    const har = JSON.parse(await (await browser.network.har({ bodies: 'text' })).text());
    expect(har.log.version).toBe('1.2');
    expect(await browser.network.har({ store: true })).toMatchObject({ source: 'har' });
  },

  'that throws throws here, with its line, its logs and what to do': async ({ browser }) => {
    const error = await caught(
      browser.execute(
        async ({ page, console: log }) => {
          log.warn('looking');
          await page.locator('#nowhere').click({ timeout: 50 });
        },
        undefined,
        { timeoutMs: 5000 },
      ),
    );
    expect(error).toMatchObject({
      name: 'ScriptError',
      code: 'SELECTOR_NOT_FOUND',
      nextStep: 'observe',
      execution: { success: false, logs: [{ text: 'looking' }] },
    });
    const own = await caught(
      browser.execute(() => {
        throw new TypeError('mine');
      }),
    );
    expect(own).toMatchObject({ code: 'SCRIPT_FAILED', thrown: 'TypeError', message: 'mine' });
    expect((own as { scriptStack?: string }).scriptStack).toContain(':2:');
    expect(await caught(browser.execute('while (true) {}', null, { timeoutMs: 200 }))).toMatchObject({
      code: 'SCRIPT_TIMEOUT',
    });
  },

  'ends over there too when its caller gives up': async ({ browser }) => {
    const stop = new AbortController();
    const [newest] = await browser.events.list().all(1);
    const events = browser.events.follow({ type: ['script.started'], lastEventId: newest?.seq ?? 0 });
    const started = events.next();
    const run = caught(
      browser.execute('await sleep(60_000)', null, { signal: stop.signal, timeoutMs: 90_000 }),
    );
    await started;
    await events.return();
    stop.abort();
    expect(await run).toMatchObject({ name: 'AbortError' });
    expect(await browser.execute('return 1')).toBe(1);
  },

  'waits while a dialog is answered from outside': async ({ browser }) => {
    const asked = browser.execute(async ({ page }) =>
      page.evaluate(() => {
        const { confirm, prompt } = globalThis as unknown as Record<
          'confirm' | 'prompt',
          (what: string) => unknown
        >;
        return [confirm('sure?'), prompt('name?'), confirm('really?')];
      }),
    );
    const openDialog = async (): Promise<api.Dialog> => {
      for (;;) for (const dialog of await browser.dialogs.list({ state: 'open' }).all()) return dialog;
    };
    expect(await browser.dialogs.accept((await openDialog()).id)).toMatchObject({ type: 'confirm' });
    await browser.dialogs.accept((await openDialog()).id, 'Ada');
    await browser.dialogs.dismiss((await openDialog()).id);
    expect(await asked).toEqual([true, 'Ada', false]);
  },
};

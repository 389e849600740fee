/** Other MCP servers at a browser of the service. */
import assert from 'node:assert/strict';
import { filledIn, snippet } from '../guide.ts';
import { startTools, type Tools } from '../tools.ts';
import type { Trial } from '../trial.ts';
import type { World } from '../world.ts';
import { atBrowser } from './driven.ts';

const withTools =
  (project: string, heading: string, work: (tools: Tools, world: World) => Promise<void>) =>
  (world: World): Promise<void> =>
    atBrowser(world, async (at) => {
      await using tools = await startTools(project, filledIn(snippet(heading), world, at));
      await work(tools, world);
    });

/** The reference that a snapshot gives to what has this name. */
function referenceOf(snapshot: string, name: string, pattern: RegExp): string {
  const line = snapshot.split('\n').find((each) => each.includes(`"${name}`) && pattern.test(each));
  return pattern.exec(line ?? '')?.[1] ?? assert.fail(`${name} is not in the snapshot:\n${snapshot}`);
}

const playwrightMcp = { project: 'with-playwright-mcp', framework: '@playwright/mcp' };
const devtoolsMcp = { project: 'with-chrome-devtools-mcp', framework: 'chrome-devtools-mcp' };

async function usePlaywrightMcp({ use }: Tools, { shop }: World): Promise<void> {
  await use('browser_navigate', { url: shop });
  const snapshot = await use('browser_snapshot');
  const at = (name: string) => ({ element: name, target: referenceOf(snapshot, name, /\[ref=(\w+)\]/) });
  await use('browser_type', { ...at('Name'), text: 'Ada' });
  assert.match(await use('browser_click', at('Greet')), /Page Title: Hello Ada/);
  assert.match(await use('browser_click', at('Ask')), /confirm/);
  await use('browser_handle_dialog', { accept: true });
  assert.match(await use('browser_evaluate', { function: '() => document.title' }), /"Yes"/);
  assert.match(await use('browser_tabs', { action: 'new' }), /about:blank/);
  assert.match(await use('browser_tabs', { action: 'select', index: 0 }), /0: \(current\)/);
  assert.match(await use('browser_take_screenshot'), /image/);
  await use('browser_resize', { width: 600, height: 500 });
  assert.match(await use('browser_evaluate', { function: '() => innerWidth' }), /600/);
  await use('browser_console_messages');
  await use('browser_network_requests');
  await use('browser_close');
}

async function useDevtoolsMcp({ use, refused }: Tools, { shop }: World): Promise<void> {
  const pageId = 1;
  assert.match(await use('list_pages'), /1: about:blank/);
  await use('navigate_page', { pageId, type: 'url', url: shop });
  const snapshot = await use('take_snapshot', { pageId });
  const at = (name: string) => ({ pageId, uid: referenceOf(snapshot, name, /uid=(\S+) (?:textbox|button)/) });
  await use('fill', { ...at('Name'), value: 'Ada' });
  await use('click', at('Greet'));
  assert.match(await use('evaluate_script', { pageId, function: '() => document.title' }), /"Hello Ada"/);
  assert.match(await use('list_network_requests', { pageId }), new RegExp(`GET ${shop}/ \\[200\\]`));
  assert.match(await use('take_screenshot', { pageId }), /image/);
  await use('list_console_messages', { pageId });
  assert.match(await use('new_page', { url: `${shop}/more` }), /2: .*\/more/);
  await use('close_page', { pageId: 2 });
  await use('resize_page', { pageId, width: 600, height: 500 });
  await use('emulate', { pageId, cpuThrottlingRate: 2 });
  await use('take_heapsnapshot', { pageId, filePath: 'page.heapsnapshot' });
  const trace = await refused('performance_start_trace', { pageId, reload: false, autoStop: true });
  assert.match(trace, /'Tracing\.start' is not allowed here/);
}

export const toolServers: Trial[] = [
  {
    ...playwrightMcp,
    shows: 'the guide’s configuration: snapshots, clicks, dialogs, tabs, code, pictures',
    run: withTools(playwrightMcp.project, '@playwright/mcp', usePlaywrightMcp),
  },
  {
    ...devtoolsMcp,
    shows: 'the guide’s configuration: snapshots, input, network, pictures, heap; no traces',
    run: withTools(devtoolsMcp.project, 'chrome-devtools-mcp', useDevtoolsMcp),
  },
];

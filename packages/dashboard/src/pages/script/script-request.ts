/** The form of a run, and its request. */
import type { ScriptOptions } from '@browserd/sdk';
import { jsonTrouble } from '../../parts/forms/forms.ts';

export interface ScriptForm {
  code: string;
  /** JSON, or empty. */
  args: string;
  timeoutMs: string;
  observe: 'none' | 'aria' | 'text' | 'html' | 'markdown';
  screenshot: boolean;
  trace: boolean;
}

export const emptyForm: ScriptForm = {
  code: `await page.goto('https://example.com/');
console.log('Arrived at', page.url());
return page.title();
`,
  args: '',
  timeoutMs: '30000',
  observe: 'aria',
  screenshot: false,
  trace: false,
};

const mostChars = 20_000;

export const argsTrouble = (args: string): string | undefined =>
  args.trim() === '' ? undefined : jsonTrouble(args);

/** Without the code; args must be JSON. */
export function requestOf(form: ScriptForm): ScriptOptions & { args?: unknown } {
  const { args, timeoutMs, observe, screenshot, trace } = form;
  const observation =
    observe === 'none'
      ? {}
      : { observation: { kind: observe, includeOn: 'always' as const, maxChars: mostChars } };
  return {
    ...(args.trim() !== '' && { args: JSON.parse(args) as unknown }),
    ...(Number(timeoutMs) > 0 && { timeoutMs: Number(timeoutMs) }),
    ...(trace && { trace: true }),
    capture: { activity: true, ...observation, ...(screenshot && { screenshot: true }) },
  };
}

import type { ScriptOptions } from '@browserd/sdk';

/** What the form holds, and what is sent for it. */
export interface ScriptForm {
  code: string;
  /** JSON, or nothing. */
  args: string;
  timeoutMs: string;
  observe: 'none' | 'aria' | 'text' | 'html' | 'markdown';
  screenshot: boolean;
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
};

const mostChars = 20_000;

export function brokenArgs(args: string): string | undefined {
  if (args.trim() === '') return undefined;
  try {
    JSON.parse(args);
    return undefined;
  } catch (error) {
    return `Not JSON: ${(error as Error).message}`;
  }
}

/** Without the code; args must be JSON. */
export function requestOf(form: ScriptForm): ScriptOptions & { args?: unknown } {
  const { args, timeoutMs, observe, screenshot } = form;
  const observation =
    observe === 'none'
      ? {}
      : { observation: { kind: observe, includeOn: 'always' as const, maxChars: mostChars } };
  return {
    ...(args.trim() !== '' && { args: JSON.parse(args) as unknown }),
    ...(Number(timeoutMs) > 0 && { timeoutMs: Number(timeoutMs) }),
    capture: { activity: true, ...observation, ...(screenshot && { screenshot: true }) },
  };
}

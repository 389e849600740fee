/** What a row of the error table says: the kind of failure, and what the caller can do about it. Callers may rely on both lists. */
export const categories = [
  'authentication',
  'permission',
  'validation',
  'not_found',
  'conflict',
  'limit',
  'policy',
  'timeout',
  'script',
  'selector',
  'navigation',
  'network',
  'cors',
  'captcha',
  'dialog',
  'browser',
  'internal',
] as const;
export const nextSteps = [
  'fix_request',
  'authenticate',
  'wait',
  'retry',
  'observe',
  'handle_dialog',
  'resolve_captcha',
  'resume_browser',
  'create_browser',
  'change_policy',
  'reduce_size',
  'ask_operator',
] as const;

export type Category = (typeof categories)[number];
export type NextStep = (typeof nextSteps)[number];

export interface ErrorRow {
  status: number;
  category: Category;
  nextStep: NextStep;
  /** When the caller sees it, for the generated documentation. */
  meaning: string;
}

export const row = (status: number, category: Category, nextStep: NextStep, meaning: string): ErrorRow => ({
  status,
  category,
  nextStep,
  meaning,
});

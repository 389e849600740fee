/** The event types of the API: for validation, for the document and, as a type, for code that notes events. */
export const eventTypes = [
  'browser.created',
  'browser.ready',
  'browser.stopping',
  'browser.stopped',
  'browser.resuming',
  'browser.recovering',
  'browser.recovered',
  'browser.closing',
  'browser.closed',
  'browser.failed',
  'browser.start_page_failed',
  'browser.handoff',
  'browser.limited',
  'tab.opened',
  'tab.closed',
  'tab.navigated',
  'tab.crashed',
  'script.started',
  'script.completed',
  'script.failed',
  'computer.completed',
  'computer.failed',
  'download.started',
  'download.completed',
  'download.failed',
  'dialog.opened',
  'dialog.closed',
  'recording.ready',
  'recording.failed',
  'captcha.detected',
  'captcha.solved',
  'captcha.failed',
  'captcha.needs_human',
  'policy.blocked',
  'consent.declined',
  'consent.failed',
  'console.error',
  'capability.issued',
  'file.address_issued',
  'network.revealed',
  'secret.used',
  'profile.created',
  'profile.saved',
  'profile.save_failed',
  'profile.restored',
  'profile.exported',
  'profile.deleted',
  'profile.signed_out',
  'job.started',
  'job.completed',
  'job.cancelled',
  'job.failed',
  'quick.completed',
  'quick.failed',
] as const;

export type EventType = (typeof eventTypes)[number];

type Group<T extends string> = T extends `${infer G}.${string}` ? `${G}.*` : never;
export type EventPattern = EventType | Group<EventType> | '*';

const groupOf = (type: string): string => `${type.slice(0, type.indexOf('.'))}.*`;

/** What a filter may say: a type, `browser.*` for all of its group, `*` for all. */
export const eventPatterns = [
  '*',
  ...new Set(eventTypes.map(groupOf)),
  ...eventTypes,
] as unknown as readonly [EventPattern, ...EventPattern[]];

/** An empty list of patterns means all, as none at all does. */
export const fits = (patterns: readonly string[] | undefined, type: string): boolean =>
  !patterns?.length ||
  patterns.some((pattern) => pattern === type || pattern === '*' || pattern === groupOf(type));

/** The types that fit; undefined when all do. */
export const typesOf = (patterns: readonly string[] | undefined): EventType[] | undefined => {
  const types = eventTypes.filter((type) => fits(patterns, type));
  return types.length === eventTypes.length ? undefined : types;
};

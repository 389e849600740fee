/**
 * The differences that are meant, each with the heading of docs/cdp.md that tells clients of it and of what to use
 * instead. A row that no longer differs is an error, as is a difference without a row.
 */
export interface Denial {
  /** `area: check`. */
  check: string;
  heading: string;
  /** Only there; absent: in both engines. */
  engine?: 'shell' | 'full';
}

const under = (
  heading: string,
  ...checks: (string | [check: string, engine: 'shell' | 'full'])[]
): Denial[] =>
  checks.map((check) =>
    typeof check === 'string' ? { check, heading } : { check: check[0], heading, engine: check[1] },
  );

export const denials: readonly Denial[] = [
  ...under(
    'Addresses',
    'navigation: a file of the machine',
    'navigation: a page of Chromium’s own',
    'navigation: the source of a page',
  ),
  ...under(
    'Files from pages',
    'files: the bytes of a download by its path',
    'files: a download that a client saves',
    'files: a download that a client reads as a stream',
  ),
  ...under(
    'Files to pages',
    'files: a file by its path on a machine that client and browser share',
    'puppeteers: Puppeteer sends a file by its path',
  ),
  ...under(
    'Traces of the whole browser',
    'captures: a trace of the whole browser',
    'puppeteers: Puppeteer traces the whole browser',
  ),
  ...under('Methods', 'sessions: a method that does not exist'),
  ...under(
    'Contexts and sessions',
    'sessions: a context with a proxy of its own',
    'sessions: a session that is not flat',
  ),
  ...under(
    'The machine and its processes',
    'sessions: the command line of the browser',
    'sessions: the machine',
    'sessions: the processes of the machine',
    'sessions: memory of the browser',
  ),
  ...under(
    'What would outlive the client',
    'sessions: time that does not pass',
    'sessions: a page that is put to sleep',
    'sessions: room for a site',
  ),
];

/** The driver of PostgreSQL, loaded when it is first needed: most services have SQLite and start sooner without it. */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

export const pg = (): typeof import('pg') => load('pg');

/**
 * What is started: npm, the `browserd` command, systemd and the container all run this file. A service that is alone is
 * this very process; one of several nodes is its child, so that its death has a witness (witness.ts).
 *
 * `--service=FILE` runs that file as the service instead of the sources beside this one.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { ending } from '../kit/own-source.ts';

const { values } = parseArgs({ options: { service: { type: 'string' } }, strict: false });
const given = typeof values.service === 'string' ? values.service : `${import.meta.dirname}/main${ending}`;
const service = resolve(given);

function isOneOfSeveral(): boolean {
  try {
    return readConfig(process.env).clusterAddress !== null;
  } catch {
    // What is wrong with the settings is for the service to say.
    return false;
  }
}

if (isOneOfSeveral()) {
  const { witnessOf } = await import('./witness.ts');
  process.exit(await witnessOf(service, process.env));
} else await import(service);

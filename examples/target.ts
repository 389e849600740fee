/** A policy for work on one site: the browser cannot reach anything else, whatever the pages say. */
import { isIP } from 'node:net';
import type { api } from '@browserd/sdk';

export function onlyThis(url: string): api.Policy {
  const { origin, hostname } = new URL(url);
  // Private addresses are refused unless the policy names them, such as a site on your own machine.
  const local = hostname === 'localhost' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
  return { allowedOrigins: [origin], ...(local && { privateAccess: { localhost: true } }) };
}

import { isIP } from 'node:net';
import type { api } from '@browserd/sdk';

/** A policy for work on one site: nothing else can be reached, whatever its pages say. */
export function onlyThis(url: string): api.Policy {
  const { origin, hostname } = new URL(url);
  // Private addresses are refused unless they are named. That of a site on your own machine is named here.
  const local = hostname === 'localhost' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
  return { allowedOrigins: [origin], ...(local && { privateAccess: { localhost: true } }) };
}

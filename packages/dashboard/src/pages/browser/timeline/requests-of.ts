/**
 * What of the log of requests belongs to an event: all since a script began, those that a policy refused, the one that was
 * revealed. The log is younger than the oldest events of a browser, so there may be nothing left to see.
 */
import type { api } from '@browserd/sdk';
import type { RequestsView } from '../network-address.ts';

export function requestsOf({ type, at, data }: api.Event): RequestsView | undefined {
  if (type === 'script.started') return { since: at };
  if (type === 'policy.blocked' && typeof data.host === 'string') return { host: data.host, failed: true };
  if (type === 'network.revealed' && typeof data.requestId === 'string') return { request: data.requestId };
  return undefined;
}

export function requestsLabel({ since, request }: RequestsView): string {
  if (request) return 'Show the request';
  return since ? 'Requests since it began' : 'Requests to this host that failed';
}

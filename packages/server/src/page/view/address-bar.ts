/** The address bar of a viewer: how it reads what was typed. */
import { RefusedError } from './remote.ts';

/** Without a scheme it is https, and on this machine http. */
export function addressOf(typed: string): string {
  const text = typed.trim();
  if (/^(https?:\/\/|about:blank$)/i.test(text)) return text;
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text))
    throw new RefusedError('Only http and https addresses can be visited.');
  return `${/^(localhost|127\.|\[::1\])/.test(text) ? 'http' : 'https'}://${text}`;
}

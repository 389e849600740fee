/**
 * TLS to a site, as far as knowing who it is: the chain, the dates and the name of its certificate are checked here, as strictly
 * as Chromium would. Nothing of the page is sent before that. (A certificate that the browser shows is: TLS has the client
 * answer before it can check.)
 */
import type { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { orAborted } from '../../kit/or-aborted.ts';
import type { ClientHello } from './client-hello.ts';
import type { Check } from './sites.ts';

export interface Secured {
  socket: TLSSocket;
  certificate: X509Certificate;
  /** That both sides agreed on by ALPN. */
  protocol: string | undefined;
}

/** Why it is not secured: what Node calls it, and the certificate if one was seen. */
export interface NotSecured {
  code: string;
  certificate?: X509Certificate | undefined;
}

const handshakeMs = 10_000;
const spoken = new Set(['h2', 'http/1.1']);

/** Takes the socket over, and destroys it unless the site is secured. */
export async function secureSite(
  socket: Socket,
  host: string,
  { hello, check, signal }: { hello: ClientHello; check: Check; signal: AbortSignal },
): Promise<Secured | NotSecured> {
  const protocols = hello.protocols.filter((protocol) => spoken.has(protocol));
  const tls = connect({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(protocols.length > 0 && { ALPNProtocols: protocols }),
    secureContext: check.context,
    // Judged below, where a certificate that does not hold is told from a connection that broke.
    rejectUnauthorized: false,
    checkServerIdentity: checkName,
  });
  const failed = (code: string, certificate?: X509Certificate): NotSecured => {
    tls.destroy();
    socket.destroy();
    return { code, certificate };
  };
  try {
    await orAborted(handshake(tls, socket), AbortSignal.any([signal, AbortSignal.timeout(handshakeMs)]));
  } catch (error) {
    return failed((error as NodeJS.ErrnoException).code ?? 'HANDSHAKE');
  }
  const certificate = tls.getPeerX509Certificate();
  if (!certificate) return failed('NO_CERTIFICATE');
  // Node says by its code what it could not verify, although the type says otherwise.
  if (!tls.authorized && !check.lenient) return failed(String(tls.authorizationError), certificate);
  return { socket: tls, certificate, protocol: tls.alpnProtocol || undefined };
}

const handshake = (tls: TLSSocket, below: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    const over = (): void => reject(new Error('closed during the TLS handshake'));
    tls.on('error', reject);
    tls.once('secureConnect', resolve);
    tls.once('close', over);
    // A site may have hung up before TLS began, which TLS then does not hear of.
    below.once('end', over);
    if (below.readableEnded || below.destroyed) over();
  });

/** As browsers do it: the subject's common name is no name of a host. */
function checkName(host: string, certificate: PeerCertificate): Error | undefined {
  if (certificate.subjectaltname) return checkServerIdentity(host, certificate);
  return Object.assign(new Error('the certificate names no host'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
}

const dates = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

export interface Mistrust {
  netError: `ERR_${string}`;
  message: string;
}

/** What Chromium would call it if it knew the authority. It does not, and that is then all that it says. */
export function mistrustOf(code: string): Mistrust | undefined {
  const signed = 'its certificate is signed by an authority of `tls.trust`, but';
  if (dates.has(code))
    return { netError: 'ERR_CERT_DATE_INVALID', message: `${signed} has expired or is not valid yet` };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return { netError: 'ERR_CERT_COMMON_NAME_INVALID', message: `${signed} is for another host` };
  return undefined;
}

const refused = /ALERT_.*(CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/;

/** Said by a site after the handshake, about the certificate that it was shown or not shown. */
export function refusalOfOurs({ code = '' }: NodeJS.ErrnoException): Mistrust | undefined {
  if (!refused.test(code)) return undefined;
  const message = code.includes('CERTIFICATE_REQUIRED')
    ? 'it asks for a certificate, and `clientCertificates` has none for it'
    : 'it does not take the certificate that `clientCertificates` has for it';
  return { netError: 'ERR_BAD_SSL_CLIENT_AUTH_CERT', message };
}

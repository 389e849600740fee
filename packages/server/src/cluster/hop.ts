/**
 * The way from one node to another: TLS 1.3 with a key that every node reads from the database. There are no certificates:
 * who knows the key is a node, and nothing else gets as far as a request.
 *
 * A request that was passed on names the boot it is meant for, so that a node which has restarted meanwhile, or took over
 * the address of another, does not answer in its place.
 */
import { hkdfSync } from 'node:crypto';
import { Agent } from 'node:https';
import type { SecureVersion, TLSSocket } from 'node:tls';

export const hopHeader = 'x-browserd-hop';
const hopVersion = 'v1';

const identity = 'browserd-node';
/** Suites whose hash is SHA-256: a pre-shared key from outside is bound to that one. */
const suites = 'TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';
const onlyVersion: SecureVersion = 'TLSv1.3';

/** Of the secret, which may serve other purposes, only this key ever leaves for a handshake. */
const keyFrom = (secret: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'browserd hop v1', 32));

const common = { ciphers: suites, minVersion: onlyVersion, maxVersion: onlyVersion };

/** For the server of the inner listener. */
export function hopServerOptions(secret: Uint8Array) {
  const psk = keyFrom(secret);
  return {
    ...common,
    pskCallback: (_socket: TLSSocket, said: string) => (said === identity ? psk : null),
    /** A stranger that connects and says nothing. */
    handshakeTimeout: 10_000,
  };
}

/** Keeps connections to the other nodes. Its options must be the agent's own: those of a request would each make another. */
export function hopAgent(secret: Uint8Array): Agent {
  const psk = keyFrom(secret);
  return new Agent({
    ...common,
    keepAlive: true,
    // A ticket of a boot that has ended would be refused; the key itself is as fast.
    maxCachedSessions: 0,
    pskCallback: () => ({ psk, identity }),
    // Called only where the other side came with a certificate instead of the key: that is no node.
    checkServerIdentity: () => new Error('The other side has no key of this cluster.'),
  } as ConstructorParameters<typeof Agent>[0]);
}

export const hopTo = (bootId: string): string => `${bootId}, ${hopVersion}`;

/** The boot that a passed-on request is for; undefined where the header says nothing this version understands. */
export function hopBoot(header: string | string[] | undefined): string | undefined {
  const [bootId, version] = typeof header === 'string' ? header.split(/,\s*/) : [];
  return version === hopVersion ? bootId : undefined;
}

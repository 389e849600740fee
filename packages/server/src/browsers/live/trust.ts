/**
 * Passwords that a browser gives to sites, and certificates of sites that it accepts although they do not hold: Chromium asks
 * the service for both.
 */
import type { Cdp } from '../../chromium/chromium.ts';
import type { Settings, TrustName } from '../record/record.ts';
import { CertificateErrors } from './certificate-errors.ts';
import { HttpCredentials } from './http-credentials.ts';

export class Trust {
  readonly credentials: HttpCredentials;
  readonly certificates: CertificateErrors;

  constructor(cdp: Cdp) {
    this.credentials = new HttpCredentials(cdp);
    this.certificates = new CertificateErrors(cdp);
  }

  async set({ httpCredentials, tls }: Pick<Settings, TrustName>): Promise<void> {
    await Promise.all([
      this.credentials.set(httpCredentials),
      this.certificates.ignoreFor(tls?.ignoreErrorsFor),
    ]);
  }
}

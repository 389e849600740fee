/** Whom the sites of a browser are told it is, and which of them it believes: what the service answers when Chromium asks. */
import type { Cdp } from '../../chromium/chromium.ts';
import type { Settings } from '../record/record.ts';
import { CertificateErrors } from './certificate-errors.ts';
import { HttpCredentials } from './http-credentials.ts';

export class Trust {
  readonly credentials: HttpCredentials;
  readonly certificates: CertificateErrors;

  constructor(cdp: Cdp) {
    this.credentials = new HttpCredentials(cdp);
    this.certificates = new CertificateErrors(cdp);
  }

  async set({ httpCredentials, tls }: Pick<Settings, 'httpCredentials' | 'tls'>): Promise<void> {
    await Promise.all([
      this.credentials.set(httpCredentials),
      this.certificates.ignoreFor(tls?.ignoreErrorsFor),
    ]);
  }
}

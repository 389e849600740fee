/** What a CDP client finds at a browser before it connects; the version alone is `browser.cdpVersion()`. */
import type { CdpProtocol, CdpTarget } from '../generated/schemas.ts';
import type { CallOptions } from '../http/http.ts';
import { BrowserResource } from './browser-resource.ts';

export class CdpDiscovery extends BrowserResource {
  /** Its pages, frames and workers, each with the address of a socket that speaks to it alone. */
  list(options: CallOptions = {}): Promise<CdpTarget[]> {
    return this.api.json('CdpController_list', { path: this.path }, options);
  }

  /** Does not wait for the page; `tabs.open` does. */
  open(url = 'about:blank', options: CallOptions = {}): Promise<CdpTarget> {
    return this.api.json('CdpController_open', { path: this.path, query: { url } }, options);
  }

  /** Brings it to the front. */
  async activate(targetId: string, options: CallOptions = {}): Promise<void> {
    await this.#say('CdpController_activate', targetId, options);
  }

  async close(targetId: string, options: CallOptions = {}): Promise<void> {
    await this.#say('CdpController_close', targetId, options);
  }

  /** The commands, events and types that a client may use here. */
  protocol(options: CallOptions = {}): Promise<CdpProtocol> {
    return this.api.json('CdpController_protocol', { path: this.path }, options);
  }

  async #say(
    operation: 'CdpController_activate' | 'CdpController_close',
    targetId: string,
    options: CallOptions,
  ): Promise<void> {
    const said = await this.api.content(operation, { path: { ...this.path, targetId } }, options);
    await said.text();
  }
}

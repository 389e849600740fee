/** The base of everything that belongs to a browser: the API and the browser's id in the path. */
import type { Api } from '../http/http.ts';

export class BrowserResource {
  protected readonly api: Api;
  protected readonly path: { id: string };

  constructor(api: Api, browserId: string) {
    this.api = api;
    this.path = { id: browserId };
  }
}

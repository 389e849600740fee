import type { Api } from './api.ts';

/** What stands under a browser: it knows the way to the service and the browser's id. */
export class Held {
  protected readonly api: Api;
  protected readonly path: { id: string };

  constructor(api: Api, browserId: string) {
    this.api = api;
    this.path = { id: browserId };
  }
}

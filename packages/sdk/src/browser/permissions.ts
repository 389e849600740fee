/** Permissions of a browser's pages, such as geolocation or the camera. */
import type { Permissions as Granted } from '../generated/schemas.ts';
import type { Body, CallOptions } from '../http/http.ts';
import { BrowserResource } from './browser-resource.ts';

export class Permissions extends BrowserResource {
  get(options: CallOptions = {}): Promise<Granted> {
    return this.api.json('PermissionController_get', { path: this.path }, options);
  }

  set(body: Body<'PermissionController_set'>, options: CallOptions = {}): Promise<Granted> {
    return this.api.json('PermissionController_set', { path: this.path, body }, options);
  }

  clear(body: Body<'PermissionController_clear'> = {}, options: CallOptions = {}): Promise<Granted> {
    return this.api.json('PermissionController_clear', { path: this.path, body }, options);
  }
}

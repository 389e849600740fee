import type { Body, CallOptions } from './api.ts';
import type { Permissions as Granted } from './generated/types.ts';
import { Held } from './held.ts';

export class Permissions extends Held {
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

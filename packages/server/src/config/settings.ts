/**
 * Each setting is one row of its section: how it is read, what it is when absent, and what to tell the operator.
 * `docs/configuration.md` is generated from the same rows, in this order.
 */
import { browserSettings } from './browser-settings.ts';
import { clusterSettings } from './cluster-settings.ts';
import { connectionSettings } from './connection-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { pageSettings } from './page-settings.ts';
import { placeSettings } from './place-settings.ts';
import { reachSettings } from './reach-settings.ts';
import type { Setting } from './setting.ts';

export const settings = {
  ...placeSettings,
  ...clusterSettings,
  ...browserSettings,
  ...limitSettings,
  ...reachSettings,
  ...pageSettings,
  ...connectionSettings,
} satisfies Record<string, Setting<unknown>>;

export type Settings = {
  [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

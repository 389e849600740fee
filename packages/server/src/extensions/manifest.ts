/** Reads the manifest of an extension as a stranger's text: what the service shows, refuses and changes of it. */
import { createHash } from 'node:crypto';
import { permissionRefusal } from './permissions.ts';
import type { ManifestView } from './schema.ts';
import { unusable } from './unusable.ts';

export type Manifest = Record<string, unknown>;

const longest = { name: 75, version: 64, description: 500, list: 1000, text: 2048 };

/** Kinds of packages that are no extensions. */
const otherKinds = ['app', 'theme', 'export', 'import', 'nacl_modules', 'platforms'];

export function parseManifest(text: string): Manifest {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw unusable(
      `manifest.json is no JSON (${(error as Error).message.slice(0, 200)}). Comments are not taken.`,
    );
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw unusable('manifest.json is no JSON object.');
  return parsed as Manifest;
}

/** Throws the reason why it is not taken. */
export function viewOfManifest(manifest: Manifest): ManifestView & { version: string } {
  const { manifest_version: number } = manifest;
  if (number !== 3)
    throw unusable(
      `The extension is of manifest version ${JSON.stringify(number) ?? 'none'}. Chromium runs version 3 only: move it to Manifest V3 and set \`"manifest_version": 3\`.`,
      { manifestVersion: number },
    );
  const kind = otherKinds.find((name) => manifest[name] !== undefined);
  if (kind !== undefined) throw unusable(`The manifest has \`${kind}\`: only extensions are taken.`);
  const version = textIn(manifest, 'version', longest.version);
  if (!version || !/^\d{1,9}(\.\d{1,9}){0,3}$/.test(version))
    throw unusable('The manifest has no `version` of one to four numbers, such as "1.0.2".');
  const permissions = listIn(manifest, 'permissions');
  const optionalPermissions = listIn(manifest, 'optional_permissions');
  refusePermissions([...permissions, ...optionalPermissions]);
  return {
    version,
    manifestVersion: 3,
    description: textIn(manifest, 'description', longest.description),
    permissions,
    optionalPermissions,
    hostPermissions: [...new Set([...listIn(manifest, 'host_permissions'), ...contentMatches(manifest)])],
    optionalHostPermissions: listIn(manifest, 'optional_host_permissions'),
    popup: popupIn(manifest),
  };
}

/** Where its name is in the files of its languages: the file and the message. */
export function nameIn(manifest: Manifest): string | { file: string; message: string } {
  const name = textIn(manifest, 'name', longest.text);
  if (!name?.trim()) throw unusable('The manifest has no `name`.');
  const message = /^__MSG_(\w+)__$/.exec(name)?.[1];
  const locale = manifest.default_locale;
  if (message === undefined || typeof locale !== 'string') return name.slice(0, longest.name);
  return { file: `_locales/${locale}/messages.json`, message };
}

/** Names of messages have no case. */
export function messageIn(text: string, wanted: string): string | undefined {
  const found = Object.entries(parseManifest(text)).find(
    ([name]) => name.toLowerCase() === wanted.toLowerCase(),
  )?.[1];
  const { message } = (found ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message.slice(0, longest.name) : undefined;
}

function refusePermissions(asked: readonly string[]): void {
  const refused = asked.flatMap((permission) => {
    const reason = permissionRefusal(permission);
    return reason === undefined ? [] : [{ permission: permission.slice(0, 64), reason }];
  });
  if (refused.length === 0) return;
  const told = refused.map(({ permission, reason }) => `\`${permission}\` (${reason})`).join(', ');
  throw unusable(
    `The extension asks for what no extension is given here: ${told.slice(0, 1000)}. Take it out of the manifest.`,
    { permissions: refused.slice(0, 50) },
  );
}

function listIn(manifest: Manifest, name: string): string[] {
  const list = manifest[name] ?? [];
  const isList = Array.isArray(list) && list.length <= longest.list;
  if (!isList || !list.every((each) => typeof each === 'string' && each.length <= longest.text))
    throw unusable(`\`${name}\` in the manifest is no list of texts.`);
  return list as string[];
}

function contentMatches(manifest: Manifest): string[] {
  const scripts = manifest.content_scripts ?? [];
  if (!Array.isArray(scripts) || scripts.length > longest.list)
    throw unusable('`content_scripts` in the manifest is no list.');
  return scripts.flatMap((script: unknown) =>
    typeof script === 'object' && script !== null ? listIn(script as Manifest, 'matches') : [],
  );
}

function textIn(manifest: Manifest, name: string, most: number): string | undefined {
  const text = manifest[name];
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw unusable(`\`${name}\` in the manifest is no text.`);
  return text.slice(0, most);
}

function popupIn({ action }: Manifest): string | undefined {
  const { default_popup: popup } = (typeof action === 'object' && action ? action : {}) as Manifest;
  return typeof popup === 'string' && popup.length <= longest.text ? popup : undefined;
}

/** Of the manifest, where it has one that Chromium would take. */
export function keyOfManifest({ key }: Manifest): Buffer | undefined {
  if (key === undefined) return undefined;
  const bytes = typeof key === 'string' && key.length <= 8192 ? Buffer.from(key, 'base64') : undefined;
  if (!bytes || bytes.length < 16) throw unusable('`key` in the manifest is no public key in base64.');
  return bytes;
}

/** As Chromium makes it: of the key, or of the path that it is loaded from. */
export const chromiumIdOf = (bytes: Uint8Array | string): string =>
  createHash('sha256')
    .update(bytes)
    .digest('hex')
    .slice(0, 32)
    .replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));

/** As Chromium gets it: under its id, never in a window beside the browser's own, and without an address to update from. */
export function manifestFor(manifest: Manifest, publicKey: string): Manifest {
  const { update_url: _, ...kept } = manifest;
  return { ...kept, key: publicKey, incognito: 'not_allowed' };
}

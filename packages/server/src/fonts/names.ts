/** The names in the table "name" of a font, of which there is one for each platform and language: the best known is taken. */
import type { Face } from './schema.ts';

const longestName = 200;
const mostRecords = 4096;

/** Numbers of OpenType; the typographic ones, where there are any, are what CSS goes by. */
const ids = { family: 1, style: 2, full: 4, postScript: 6, typoFamily: 16, typoStyle: 17 };

/** Platform and language: English of Windows, then Unicode, then English of the Macintosh, then any. */
function rank(platform: number, language: number): number {
  if (platform === 3) return language === 0x409 ? 0 : 3;
  if (platform === 0) return 1;
  return platform === 1 && language === 0 ? 2 : 4;
}

export function namesIn(table: Buffer): Face | undefined {
  if (table.length < 6) return undefined;
  const count = Math.min(table.readUInt16BE(2), mostRecords, Math.floor((table.length - 6) / 12));
  const texts = table.readUInt16BE(4);
  const best = new Map<number, { rank: number; text: string }>();
  for (let at = 6; at < 6 + count * 12; at += 12) {
    const [platform, language] = [table.readUInt16BE(at), table.readUInt16BE(at + 4)];
    const id = table.readUInt16BE(at + 6);
    const start = texts + table.readUInt16BE(at + 10);
    const bytes = table.subarray(start, start + table.readUInt16BE(at + 8));
    const text = plain(platform, bytes);
    const known = best.get(id);
    const order = rank(platform, language);
    if (text && (!known || order < known.rank)) best.set(id, { rank: order, text });
  }
  const name = (id: number): string | undefined => best.get(id)?.text;
  const family = name(ids.typoFamily) ?? name(ids.family);
  if (family === undefined) return undefined;
  const [fullName, postScriptName] = [name(ids.full), name(ids.postScript)];
  return {
    family,
    style: name(ids.typoStyle) ?? name(ids.style) ?? 'Regular',
    ...(fullName && { fullName }),
    ...(postScriptName && { postScriptName }),
  };
}

/** The Macintosh's letters are taken as Latin 1: names are ASCII there. Control characters have no place in a name. */
function plain(platform: number, bytes: Buffer): string {
  const even = bytes.subarray(0, bytes.length & ~1);
  const text = platform === 1 ? bytes.toString('latin1') : Buffer.from(even).swap16().toString('utf16le');
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, longestName);
}

/**
 * Which node looks first at something that concerns all of them, such as a project with new events: each finds the same answer
 * without asking, and a node that comes or goes moves only its own share (rendezvous hashing). A wrong guess costs time only;
 * what must happen once is decided by the database.
 */
import type { Member } from './interface.ts';

/** FNV-1a, with its bits mixed once more: similar texts must not get similar numbers. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Undefined when no member is up. */
export function whoseTurn(subject: string, members: readonly Member[]): Member | undefined {
  let first: Member | undefined;
  let highest = -1;
  for (const member of members) {
    if (member.state !== 'up') continue;
    const weight = hash(`${member.bootId} ${subject}`);
    if (weight < highest || (weight === highest && first && member.bootId > first.bootId)) continue;
    highest = weight;
    first = member;
  }
  return first;
}

/** Also when no member is known to be up: better looked at twice than never. */
export const isTurnOf = (bootId: string, subject: string, members: readonly Member[]): boolean =>
  (whoseTurn(subject, members)?.bootId ?? bootId) === bootId;

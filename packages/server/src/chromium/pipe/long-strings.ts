/**
 * A page chooses how long its address, its title and the names of its frames are, and may change them without end. Chromium tells
 * of each in full, and the service keeps only their beginnings, so what is behind these is cut off before a string is made of it.
 */

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
/** `\u00e9` */
const longestEscape = 6;
/** Looking for the end of a string that is full of quotes would take longer than parsing it. */
const mostQuotes = 2000;

/** JSON in which strings end after so many bytes, or a few less; as it came where it would take too long to find their ends. */
export function withShortStrings(json: Buffer, mostBytes: number): Buffer {
  const kept: Buffer[] = [];
  let from = 0;
  let quotes = 0;
  for (let start = json.indexOf(quote); start >= 0; ) {
    let end = json.indexOf(quote, start + 1);
    while (end > 0 && isEscaped(json, end)) {
      if (++quotes > mostQuotes) return json;
      end = json.indexOf(quote, end + 1);
    }
    if (end < 0 || ++quotes > mostQuotes) return json;
    if (end - start - 1 > mostBytes) {
      kept.push(json.subarray(from, cutBefore(json, start + 1 + mostBytes)));
      from = end;
    }
    start = json.indexOf(quote, end + 1);
  }
  return from === 0 ? json : Buffer.concat([...kept, json.subarray(from)]);
}

/** Whether the sign at this place has an odd number of backslashes before it. */
const isEscaped = (json: Buffer, at: number): boolean => (at - startOfBackslashes(json, at)) % 2 === 1;

function startOfBackslashes(json: Buffer, before: number): number {
  let at = before;
  while (json[at - 1] === backslash) at--;
  return at;
}

/** The last place at or before this one that parts no character and no escape. */
function cutBefore(json: Buffer, at: number): number {
  let place = at;
  while (((json[place] ?? 0) & 0xc0) === 0x80) place--;
  const near = json.subarray(place - longestEscape, place).lastIndexOf(backslash);
  return near < 0 ? place : startOfBackslashes(json, place - longestEscape + near);
}

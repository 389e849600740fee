/**
 * `Range` (RFC 9110, 14): one range of bytes, or whatever else was asked, answered with everything. Several ranges at
 * once, other units and what cannot be read may be ignored; only a range past the end must be refused.
 */
export interface ByteRange {
  start: number;
  /** Included. */
  end: number;
}

const single = /^bytes\s*=[\s,]*(\d*)-(\d*)[\s,]*$/i;

export function readRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = single.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}

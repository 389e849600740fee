/**
 * A trace as a runner sends it: a series of records, each with a piece of one file of the trace. It is sent while it grows, so
 * that a call that is ended, or whose runner dies, has a trace up to its last moment; a record that was cut off is left out.
 *
 *   kind · length of the name · length of the data · name · data
 */
export const recordKinds = { append: 1, whole: 2, over: 3, failed: 4 } as const;
export type RecordKind = (typeof recordKinds)[keyof typeof recordKinds];

export const recordHeadBytes = 7;

/** The names of files in a trace; `stacks` becomes what the viewer reads. */
export const traceNames = {
  trace: 'trace.trace',
  network: 'trace.network',
  stacks: 'trace.stacks',
} as const;

export function recordHead(kind: RecordKind, name: Buffer, dataBytes: number): Buffer {
  const head = Buffer.allocUnsafe(recordHeadBytes + name.length);
  head.writeUInt8(kind);
  head.writeUInt16LE(name.length, 1);
  head.writeUInt32LE(dataBytes, 3);
  name.copy(head, recordHeadBytes);
  return head;
}

export interface RecordHead {
  kind: number;
  nameBytes: number;
  dataBytes: number;
}

/** Of the first bytes of a record, which must be all there. */
export const readRecordHead = (bytes: Buffer): RecordHead => ({
  kind: bytes.readUInt8(),
  nameBytes: bytes.readUInt16LE(1),
  dataBytes: bytes.readUInt32LE(3),
});

/** Width and height in the frame header of a JPEG. */
export function jpegSize(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  const at = bytes.indexOf(Buffer.from([0xff, 0xc0])) + 5;
  return [bytes.readUInt16BE(at + 2), bytes.readUInt16BE(at)];
}

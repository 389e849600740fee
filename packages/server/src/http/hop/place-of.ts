/** The address of a node, as its operator wrote it: `host:port`, or `[::1]:port`. */
export function placeOf(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
}

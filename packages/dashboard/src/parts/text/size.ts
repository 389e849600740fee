/** Bytes for people: 1_572_864 → "1.5 MiB". */
const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${unit === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit]}`;
}

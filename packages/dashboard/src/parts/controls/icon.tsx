/** Line drawings on a grid of 16, in the colour of the text. They never carry information that the text lacks. */
const drawings = {
  browsers:
    'M2 4.5A1.5 1.5 0 0 1 3.5 3h9A1.5 1.5 0 0 1 14 4.5v7a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 11.5zM2 6.5h12',
  script: 'm5.5 5-3 3 3 3M10.5 5l3 3-3 3M9 3.5l-2 9',
  quick: 'M9 2 3.5 9H8l-1 5 5.5-7H8z',
  jobs: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.4 4l.8.8 1.4-1.6M2.4 8l.8.8 1.4-1.6M3.4 12v0',
  keys: 'M10 9a3 3 0 1 0-2.8-2L2.5 11.7V13.5h2.3v-1.6h1.6v-1.6L8 8.8A3 3 0 0 0 10 9zM10.6 5.4v0',
  webhooks: 'M2.5 8h2.6l1.7-4.5 2.6 9L11 8h2.5',
  nodes: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5v0M5 11v0',
  health: 'M2.5 13V9.5M6.2 13V6M9.8 13V8M13.5 13V3',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.3 5.3 0 1 0 6.6 6.6z',
  leave: 'M6.5 2.5h-3a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3M10.5 5l3 3-3 3M13.2 8H6.5',
  plus: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1z',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  warning: 'M8 2.5 1.8 13.2h12.4zM8 6.6v3M8 11.4v0',
  stop: 'M4 4h8v8H4z',
  play: 'M5 3.2v9.6L12.6 8z',
  bin: 'M2.8 4.3h10.4M6.3 4.3V2.8h3.4v1.5M4.2 4.3l.6 8.9h6.4l.6-8.9M6.8 6.8v4M9.2 6.8v4',
  refresh: 'M13.2 7.2A5.3 5.3 0 1 0 13 9.6M13.4 3.4v3.8H9.6',
  search: 'M7 2.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8zM10.2 10.2l3.2 3.2',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z',
  record: 'M8 4.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4z',
  right: 'm6 3.5 4.5 4.5L6 12.5',
  up: 'm3.5 10 4.5-4.5 4.5 4.5',
  cards: 'M2.5 2.5h4.6v4.6H2.5zM8.9 2.5h4.6v4.6H8.9zM2.5 8.9h4.6v4.6H2.5zM8.9 8.9h4.6v4.6H8.9z',
  table: 'M2.5 3.5h11M2.5 8h11M2.5 12.5h11',
  book: 'M8 4.2C6.6 3.2 4.6 2.9 2.5 3v9.5c2.1-.1 4.1.2 5.5 1.2 1.4-1 3.4-1.3 5.5-1.2V3C11.4 2.9 9.4 3.2 8 4.2zM8 4.2v9.5',
  down: 'm3.5 6 4.5 4.5L12.5 6',
  more: 'M3.5 8v0M8 8v0M12.5 8v0',
  download: 'M8 2.5v7.2M4.8 6.8 8 10l3.2-3.2M2.8 13h10.4',
  upload: 'M8 10V2.8M4.8 6 8 2.8 11.2 6M2.8 13h10.4',
  external:
    'M9 2.8h4.2V7M13 3 7.4 8.6M11.2 9.4v3.2a.9.9 0 0 1-.9.9H3.7a.9.9 0 0 1-.9-.9V6a.9.9 0 0 1 .9-.9h3',
  keyboard:
    'M2.6 4.2h10.8a1 1 0 0 1 1 1v5.6a1 1 0 0 1-1 1H2.6a1 1 0 0 1-1-1V5.2a1 1 0 0 1 1-1zM4.5 6.8v0M7 6.8v0M9.5 6.8v0M11.8 6.8v0M5.5 9.4h5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  person: 'M8 2.6a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM2.8 13.4c.5-2.4 2.6-3.6 5.2-3.6s4.7 1.2 5.2 3.6',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  shield: 'M8 2 3 4v3.6c0 3 2 5.2 5 6.4 3-1.2 5-3.4 5-6.4V4z',
  speech: 'M2.5 3.5h11v7H8l-3 2.5v-2.5H2.5z',
  puzzle: 'M3 5.5h2.6a1.5 1.5 0 1 1 2.8 0H11v2.6a1.5 1.5 0 1 1 0 2.8v2.6H3z',
  clock: 'M8 2.4a5.6 5.6 0 1 0 0 11.2A5.6 5.6 0 0 0 8 2.4zM8 5v3.2l2 1.4',
} as const;

export type IconName = keyof typeof drawings;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={drawings[name]} />
    </svg>
  );
}

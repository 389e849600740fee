/** Whether the list shows cards or a table: as the address says, else as this person last chose. */
export const looks = { cards: 'Cards', table: 'Table' } as const;
export type Look = keyof typeof looks;

const storageKey = 'browserd.list';

const asLook = (text: string | null): Look | undefined =>
  text === 'cards' || text === 'table' ? text : undefined;

export const lookOf = (text: string | null): Look =>
  asLook(text) ?? asLook(localStorage.getItem(storageKey)) ?? 'cards';

export const rememberLook = (look: Look): void => localStorage.setItem(storageKey, look);

/** A card costs a picture and much room; rows are made to be many. */
export const loadingOf: Record<Look, { pageSize: number; atLeast: number }> = {
  cards: { pageSize: 24, atLeast: 1 },
  table: { pageSize: 100, atLeast: 500 },
};

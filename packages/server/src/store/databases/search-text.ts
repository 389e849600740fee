/** What is compared in a search: databases fold case each in their own way, so it is folded here, once, when it is written. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Empty for a browser without a name and metadata, which needs no row: its id is compared as it is. */
export const searchText = (name: string | null, metadata: Record<string, string>): string =>
  folded(
    [name ?? '', ...Object.entries(metadata).map(([key, value]) => `${key}=${value}`)]
      .filter(Boolean)
      .join('\n'),
  );

/** The words of a search, each of which must occur. */
export const searchWords = (text: string): string[] => [
  ...new Set(folded(text).split(/\s+/).filter(Boolean)),
];

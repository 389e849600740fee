/** One open tab, as its owner sees it. Pages choose how long their addresses and titles are: both are cut. */
export interface Tab {
  tabId: string;
  url: string;
  title: string;
}

/** As it is saved, so that it can be opened again. */
export interface SavedTab extends Tab {
  /** Its own, where it has one. */
  viewport?: { width: number; height: number; deviceScaleFactor: number };
  /** Its address was too long to be kept: what is left of it opens nothing. */
  addressLost?: true;
}

/** Of what is answered. */
const longestTold = 8192;
/** Of what is saved. */
export const longestAddress = 65_536;
const longestTitle = 1024;

export function savedTab({ tabId, url, title }: Tab): SavedTab {
  const lost = url.length > longestAddress;
  return {
    tabId,
    url: lost ? url.slice(0, longestTold) : url,
    title: title.slice(0, longestTitle),
    ...(lost && { addressLost: true }),
  };
}

export const toldTab = ({ tabId, url, title }: Tab): Tab => ({
  tabId,
  url: url.slice(0, longestTold),
  title: title.slice(0, longestTitle),
});

/** One open tab, as its owner sees it. */
export interface Tab {
  tabId: string;
  url: string;
  title: string;
}

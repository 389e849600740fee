import { useBrowser } from '../browser/browser-queries.ts';
import { Watched } from '../browser/live/watched.tsx';

/** The browser beside the code, to watch; it is driven on its own page. */
export function ScriptWatch({ browserId, isThere }: { browserId: string | undefined; isThere: boolean }) {
  if (!browserId || !isThere)
    return <p className="script-watch-none soft">A new browser is shown here while it runs.</p>;
  return <WatchOne key={browserId} id={browserId} />;
}

function WatchOne({ id }: { id: string }) {
  const browser = useBrowser(id);
  return <Watched browser={browser} mode="view" />;
}

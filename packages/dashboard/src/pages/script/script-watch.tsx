/** The viewer beside the code, to watch only; the browser is controlled on its own page. */
import { useBrowser } from '../../data/data.ts';
import { Viewer } from '../../view/view.ts';

export function ScriptWatch({ browserId, isThere }: { browserId: string | undefined; isThere: boolean }) {
  if (!browserId || !isThere)
    return <p className="script-watch-none soft">The new browser shows up here during the run.</p>;
  return <WatchOne key={browserId} id={browserId} />;
}

function WatchOne({ id }: { id: string }) {
  const browser = useBrowser(id);
  return <Viewer browser={browser} mode="view" />;
}

// The page that frames this one: what it is told, and what it may ask for. Messages go to the origins for which this address
// was made, and are heard from no other. The service lets only these frame the page; without them, only the dashboard.
const signed = new URLSearchParams(location.search).get('embed');

/** Only to be read here: the service has checked it before the page could be framed. */
function originsIn(framing: string): string[] {
  try {
    const text = framing
      .replace(/^bde_|\..*$/g, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/');
    return JSON.parse(atob(text)).slice(1);
  } catch {
    return [];
  }
}

const origins = signed === null ? [location.origin] : originsIn(signed);
const isFramed = parent !== window;

/** The dashboard shows what the person is asked to do beside the frame. */
export const isInDashboard = isFramed && signed === null;

/** Where the web browser does not say which of them it is, each is addressed, and only the right one is reached. */
function targets(): string[] {
  const above = location.ancestorOrigins?.[0];
  return above ? origins.filter((origin) => origin === above) : origins;
}

export function tellEmbedder(type: 'ready' | 'handoff' | 'disconnected' | 'closed', facts: object): void {
  if (!isFramed) return;
  for (const origin of targets()) parent.postMessage({ from: 'browserd', type, ...facts }, origin);
}

/** `wishes` by their names. */
export function hearEmbedder(wishes: Record<string, () => void>): void {
  addEventListener('message', ({ source, origin, data }) => {
    if (!isFramed || source !== parent || !origins.includes(origin) || data?.to !== 'browserd') return;
    if (Object.hasOwn(wishes, data.type)) wishes[data.type]?.();
  });
}

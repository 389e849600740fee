/**
 * A trace in Playwright's viewer. The page that opened this tab holds the trace in its memory and put the address of it after
 * the #; it has no other tie to this tab. The viewer asks for the trace when it is ready, and gets its bytes.
 */
const note = document.querySelector<HTMLElement>('#note')!;
const viewer = document.querySelector<HTMLIFrameElement>('#viewer')!;

const address = decodeURIComponent(location.hash.slice(1));

async function read(): Promise<Blob> {
  if (!address.startsWith(`blob:${location.origin}/`)) throw new Error('no trace');
  return (await fetch(address)).blob();
}

try {
  const trace = await read();
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== viewer.contentWindow || origin !== location.origin || data?.method !== 'ready') return;
    viewer.contentWindow?.postMessage({ method: 'load', params: { trace } }, location.origin);
  });
  viewer.src = '/trace/index.html';
  viewer.hidden = false;
  note.hidden = true;
} catch {
  note.textContent = 'The trace is not here any more. Open it again from the dashboard.';
}

/** Pages that move as little and as much as pages do: what pictures of them cost depends on how much changes from one to the next. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const still = '<!doctype html><title>still</title><h1>Nothing moves</h1>';
/** Twelve discs and the background, all of the screen, at every frame. */
export const animated = `<!doctype html><title>moving</title><style>body { margin: 0; overflow: hidden }
div { position: absolute; width: 200px; height: 200px; border-radius: 50% }</style><body><script>
const discs = Array.from({ length: 12 }, (_, i) => {
  const disc = document.createElement('div');
  disc.style.background = 'hsl(' + i * 30 + ', 80%, 50%)';
  disc.textContent = 'disc ' + i;
  document.body.append(disc);
  return disc;
});
const move = (t) => {
  document.body.style.background = 'hsl(' + ((t / 20) % 360) + ', 60%, 90%)';
  discs.forEach((disc, i) => {
    const x = 540 + 500 * Math.sin(t / 700 + i), y = 260 + 250 * Math.cos(t / 900 + i * 2);
    disc.style.transform = 'translate(' + x + 'px, ' + y + 'px)';
  });
  requestAnimationFrame(move);
};
requestAnimationFrame(move);
</script>`;

/** Changes once at each press, and otherwise never. */
const clicked = `<!doctype html><title>clicked</title><body style="margin: 0; height: 100vh"><script>let presses = 0;
addEventListener('mousedown', () => { document.body.style.background = 'hsl(' + ++presses * 67 + ', 70%, 60%)' })</script>`;

const pages: Record<string, string> = { still, animated };
export const movingPages = Object.keys(pages);

export const startMovingSite = (): ReturnType<typeof startPages> => startPages({ ...pages, clicked }, still);

/** Each page by its name as the path, and the other one everywhere else. */
export async function startPages(
  named: Record<string, string>,
  other: string,
): Promise<AsyncDisposable & { origin: string }> {
  const site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end(named[request.url?.slice(1) ?? ''] ?? other);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      site.close();
      site.closeAllConnections();
    },
  };
}

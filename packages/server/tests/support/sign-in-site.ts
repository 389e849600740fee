import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A site with a real sign-in: a form that sets a session cookie, and two tokens that its pages keep in local storage and in
 * IndexedDB. `/account` is for visitors that have the cookie; its title says who that is and which of the tokens it found.
 * `/light` signs in without IndexedDB, `/count` counts visits in local storage and in a cookie.
 */
export interface SignInSite {
  origin: string;
  /** Forgets all sessions, as a site does after a while. */
  signOutAll(): void;
  close(): Promise<void>;
}

const withDb = `
const open = () => new Promise((resolve, reject) => {
  const request = indexedDB.open('auth', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('tokens');
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const inStore = async (mode, work) => {
  const db = await open();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction('tokens', mode, { durability: 'strict' });
    const request = work(transaction.objectStore('tokens'));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
  });
};`;

/** With `?user=` in its address the form fills itself in and is sent, so that a spec needs no hands. */
const form = (light: boolean): string => `<!doctype html><title>sign in</title>
<form method="post" action="/sign-in${light ? '?light' : ''}"><input name="user"><input name="password" type="password"><button>Sign in</button></form>
<script>
const user = new URLSearchParams(location.search).get('user');
if (user) { document.forms[0].user.value = user; document.forms[0].password.value = 'secret'; document.forms[0].submit(); }
</script>`;

const signedIn = (user: string, light: boolean): string => `<!doctype html><title>welcome</title><script>
${withDb}
(async () => {
  localStorage.setItem('token', ${JSON.stringify(`local ${user}`)});
  ${light ? '' : `await inStore('readwrite', (store) => store.put(${JSON.stringify(`indexed ${user}`)}, 'token'));`}
  document.title = 'signed in';
})();
</script>`;

const account = (
  user: string,
): string => `<!doctype html><title>account</title><h1 id="user">${user}</h1><p id="tokens"></p><script>
${withDb}
(async () => {
  const names = (await indexedDB.databases()).map(({ name }) => name);
  const indexed = names.includes('auth') ? await inStore('readonly', (store) => store.get('token')) : null;
  const tokens = [localStorage.getItem('token'), indexed ?? null];
  document.getElementById('tokens').textContent = JSON.stringify(tokens);
  document.title = JSON.stringify([${JSON.stringify(user)}, ...tokens]);
})();
</script>`;

const count = `<!doctype html><title>count</title><script>
localStorage.setItem('count', String(Number(localStorage.getItem('count') ?? 0) + 1));
document.cookie = 'count=' + localStorage.getItem('count') + '; path=/; max-age=86400';
document.title = 'count ' + localStorage.getItem('count');
</script>`;

export async function startSignInSite(): Promise<SignInSite> {
  const sessions = new Map<string, string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://site');
    const html = (body: string, status = 200, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'text/html', ...headers });
      response.end(body);
    };
    const light = url.searchParams.has('light');
    if (url.pathname === '/login' || url.pathname === '/light') return html(form(url.pathname === '/light'));
    if (url.pathname === '/count') return html(count);
    if (url.pathname === '/sign-in') {
      let body = '';
      for await (const chunk of request) body += chunk;
      const user = new URLSearchParams(body).get('user') ?? '';
      const session = randomBytes(16).toString('hex');
      sessions.set(session, user);
      return html(signedIn(user, light), 200, { 'set-cookie': `session=${session}; Path=/; HttpOnly` });
    }
    const session = /session=([0-9a-f]+)/.exec(request.headers.cookie ?? '')?.[1];
    const user = session === undefined ? undefined : sessions.get(session);
    if (url.pathname !== '/account') return html('nothing here', 404);
    return user === undefined ? html('', 302, { location: '/login' }) : html(account(user));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    signOutAll: () => sessions.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * How a database server is called in messages: without user, password and options. A URL in which a password was not
 * escaped is parsed wrongly, here and elsewhere, so nothing of it is shown.
 */
export function databaseName(address: string): string {
  const url = URL.parse(address);
  if (!url || (url.pathname + url.search + url.hash).includes('@'))
    return '(address not shown: in a password, write / ? # @ as %2F %3F %23 %40)';
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** Origins to which a secret is pinned, in the one form in which a document says its own. */
export function canonicalOrigin(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || !url.hostname || url.hostname.includes('*'))
    return undefined;
  const rest = url.username + url.password + url.search + url.hash;
  return rest === '' && url.pathname === '/' ? url.origin : undefined;
}

/**
 * A call as code to paste elsewhere: curl, or the SDK. The key is never part of it: it is read from the environment.
 */
export const asCurl = (
  baseUrl: string,
  method: string,
  path: string,
  body?: unknown,
  output?: string,
): string =>
  [
    `curl -sS${output ? ` -o ${shellQuoted(output)}` : ''} -X ${method} ${shellQuoted(baseUrl + path)}`,
    `-H "Authorization: Bearer $BROWSERD_API_KEY"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-binary ${shellQuoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');

/** `lines` use `client`. */
export const asSdk = (baseUrl: string, lines: readonly string[]): string =>
  [
    `import { Browserd } from '@browserd/sdk';`,
    '',
    '// the key is taken from BROWSERD_API_KEY',
    `const client = new Browserd({ baseUrl: ${JSON.stringify(baseUrl)} });`,
    ...lines,
    '',
  ].join('\n');

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A value as JavaScript source. */
export const asSource = (value: unknown, indent = 2): string =>
  JSON.stringify(value, undefined, indent) ?? 'undefined';

/** Code of many lines stays readable in a template string. */
export const asTemplate = (code: string): string =>
  `\`${code.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;

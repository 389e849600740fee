import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { asCommand } from './as-command.ts';

const command = (more: Partial<Parameters<typeof asCommand>[0]> = {}) =>
  asCommand({
    method: 'GET',
    url: 'https://a.test/',
    requestHeaders: [],
    hasRequestBody: false,
    ...more,
  });
const withHeader = (name: string, value: string) => command({ requestHeaders: [{ name, value }] });

/** What curl would be given by a shell: its arguments. */
function argumentsOf(text: string): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${text}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('a request as a curl command', () => {
  test('is what a person would write', () => {
    const requestHeaders = [
      { name: 'Host', value: 'a.test' },
      { name: 'Accept-Encoding', value: 'gzip, br' },
      { name: 'User-Agent', value: "it's a browser" },
      { name: 'X-Empty', value: '' },
    ];
    expect(command({ method: 'POST', url: 'https://a.test/x?a[]=1&b={2}', requestHeaders })?.text).toBe(
      `curl --globoff 'https://a.test/x?a[]=1&b={2}' \\
  -X 'POST' \\
  -H 'User-Agent: it'\\''s a browser' \\
  -H 'X-Empty;' \\
  --compressed`,
    );
    expect(command({ method: 'HEAD' })?.text).toBe(`curl --globoff 'https://a.test/' \\\n  --head`);
  });

  test('comes out of a shell as it went in, whatever a page has put into its words', () => {
    const value = `'; touch /tmp/x; echo "$(id)" \`id\` \${HOME} \\ ! # end`;
    const url = `https://a.test/'$(id)'?q=\`id\`"&x=\\`;
    const { text = '' } = command({ url, requestHeaders: [{ name: 'x-odd', value }] }) ?? {};
    expect(argumentsOf(text)).toEqual(['--globoff', url, '-H', `x-odd: ${value}`]);
  });

  test('leaves out what is hidden, and says so', () => {
    const found = command({
      url: 'https://a.test/?token=***',
      requestHeaders: [
        { name: 'Authorization', value: '•••' },
        { name: 'Cookie', value: '•••' },
        { name: 'Accept', value: '*/*' },
      ],
      hasRequestBody: true,
    });
    expect(found?.lacks).toEqual([
      'the hidden headers Authorization, Cookie',
      'hidden parts of the address',
      'the body',
    ]);
    expect(found?.text).toBe(
      `# without the hidden headers Authorization, Cookie
# without hidden parts of the address
# without the body
curl --globoff 'https://a.test/?token=***' \\
  -H 'Accept: */*'`,
    );
    expect(argumentsOf(found?.text ?? '')).toHaveLength(4);
  });

  test.each([
    ['a line break', 'a\r\nevil: 1'],
    ['the end of a bracketed paste', 'a\u001b[201~ id #'],
    ['the key that deletes a line', 'a\u0015id #'],
    ['text turned around', 'a\u202eb'],
  ])('has no header with %s in it: a terminal obeys before a shell reads', (_, value) => {
    expect(withHeader('x-odd', value)).toEqual({
      text: "# without the unsafe header x-odd\ncurl --globoff 'https://a.test/'",
      lacks: ['the unsafe header x-odd'],
    });
  });

  test('names no header in a comment that a shell without comments would run', () => {
    const found = withHeader('`id`|id', '•••');
    expect(found?.lacks).toEqual(['1 hidden header']);
    expect(found?.text).toBe("# without 1 hidden header\ncurl --globoff 'https://a.test/'");
    expect(withHeader('x\ny', 'z')?.lacks).toEqual(['1 unsafe header']);
  });

  test('has an address of one line, whatever was cut', () => {
    expect(command({ url: 'https://a.test/\n\u001b\ud800x é' })?.text).toBe(
      "curl --globoff 'https://a.test/%0A%1Bx%20%C3%A9'",
    );
  });

  test('is not made of what is no request over HTTP', () => {
    for (const url of ['file:///etc/passwd', 'blob:https://a.test/1', 'javascript:alert(1)', 'wss://a.test/'])
      expect(command({ url })).toBeUndefined();
    expect(command({ method: 'GET -o x' })).toBeUndefined();
  });
});

import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { asCurl, asTemplate, shellQuoted } from './as-code.ts';

const hostile = `it's "quoted" $HOME \`id\` \\ \n \${x} 世界`;

test('what is quoted for a shell comes out of it as it went in', () => {
  expect(execFileSync('sh', ['-c', `printf %s ${shellQuoted(hostile)}`], { encoding: 'utf8' })).toBe(hostile);
});

test('code in a template string is the same code', () => {
  expect(runInNewContext(asTemplate(hostile))).toBe(hostile);
});

test('a curl command names the key by its variable and carries the body as JSON', () => {
  const command = asCurl('http://127.0.0.1:1', 'POST', '/v1/scrape', { url: "https://a.test/?q='" });
  expect(command).toContain('Bearer $BROWSERD_API_KEY');
  expect(command).toContain(`--data-binary '{"url":"https://a.test/?q='\\''"}'`);
});

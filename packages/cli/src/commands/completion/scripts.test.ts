import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeProgram } from '../../program.ts';
import { fitsShell } from './completion.ts';
import { fish } from './fish.ts';
import { nodesOf } from './nodes.ts';
import { bash, zsh } from './scripts.ts';

/** The scripts run in the shells themselves. bash is everywhere; zsh and fish where they are installed. */
const nodes = nodesOf(makeProgram());
const quoted = (words: string[]): string => words.map((word) => `'${word}'`).join(' ');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'browserd-completion-'));
  writeFileSync(join(folder, 'my script.ts'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (shell: string, args: string[], script: string): string[] =>
  execFileSync(shell, [...args, '-c', script], { encoding: 'utf8', cwd: folder, timeout: 20_000 })
    .split('\n')
    .filter(Boolean);

const inBash = (...words: string[]): string[] =>
  run(
    'bash',
    [],
    `browserd() { echo browser_1 shop; }
${bash(nodes)}
COMP_WORDS=(browserd ${quoted(words)}); COMP_CWORD=${words.length}
_browserd; printf '%s\\n' "\${COMPREPLY[@]}"`,
  );

/** Its completion system is replaced by functions that print what they are given. */
const inZsh = (...words: string[]): string[] =>
  run(
    'zsh',
    ['-f'],
    `browserd() { print -l browser_1 shop }
compdef() { }
compset() { PREFIX=\${PREFIX##$~2} }
_files() { print -l -- $PREFIX*(N) }
compadd() {
  while [[ $1 != -- ]]; do shift; done; shift
  local -a found=(\${(M)@:#$PREFIX*}); (( $#found )) && print -l -- $found
}
${zsh(nodes)}
complete_it() { local -a words=(browserd ${quoted(words)}); local CURRENT=${words.length + 1} PREFIX=${quoted(words.slice(-1))}; _browserd }
before=$PATH; complete_it; [[ $PATH == $before ]] || print "PATH was changed"`,
  );

const inFish = (...words: string[]): string[] =>
  run(
    'fish',
    ['--no-config'],
    `function browserd; echo browser_1; echo shop; end
${fish(nodes)}
complete -C ${JSON.stringify(['browserd', ...words].join(' '))}`,
  ).map((line) => line.split('\t')[0] ?? '');

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

describe('completion', () => {
  test('knows every command, and none that is hidden', () => {
    const paths = nodes.map(({ path }) => path);
    expect(paths).toContain('browsers create');
    expect(paths).toContain('recordings stop');
    expect(paths).not.toContain('complete');
  });

  test('offers no word that a shell would interpret', () => {
    const words = ['browser_01', 'shop-2', '$(id)', '`id`', 'a b', '-rf', 'a;b', '', 'a\nb'];
    expect(words.filter(fitsShell)).toEqual(['browser_01', 'shop-2']);
    const inScripts = nodes.flatMap((node) => [
      ...node.words,
      ...node.aliases,
      ...node.flags,
      ...node.values.flatMap(([flag, offer]) => [flag, ...offer.words]),
      ...node.takes.flatMap((offer) => offer.words),
    ]);
    expect(inScripts.filter((word) => !/^[\w-]+$/.test(word))).toEqual([]);
  });

  test('takes no parameter away from zsh', () => {
    const names = [...zsh(nodes).matchAll(/\blocal (?:-a )?(.*)$/gm)].flatMap(([, list = '']) =>
      [...list.matchAll(/(?:^| )(\w+)(?==|$)/g)].map(([, name]) => name ?? ''),
    );
    expect(names).toContain('bd_path');
    expect(names.filter((name) => !name.startsWith('bd_'))).toEqual([]);
  });

  test('is accepted by bash', () => {
    execFileSync('bash', ['-n'], { input: bash(nodes) });
  });
});

const shells = [
  ['bash', inBash],
  ['zsh', inZsh],
  ['fish', inFish],
] as const;

describe.each(shells)('completion in %s', (shell, offered) => {
  const it = test.skipIf(!isInstalled(shell));

  it('leads from command to command, over options and their values', () => {
    expect(offered('bro')).toEqual(['browsers']);
    expect(offered('browsers', 'res')).toEqual(['resume']);
    expect(offered('--url', 'http://x', 'browsers', 'cr')).toEqual(['create']);
    expect(offered('--json', 'webhooks', 'de').toSorted()).toEqual(['delete', 'deliveries']);
  });

  it('knows aliases', () => {
    expect(offered('b', 'cr')).toEqual(['create']);
    expect(offered('b', 'rm', '')).toEqual(['browser_1', 'shop']);
    expect(offered('browsers', 'rm')).toEqual(['rm']);
    expect(offered('b', 'ls', '--stat')).toEqual(['--status']);
  });

  it('offers the options of the command and those of all', () => {
    expect(offered('browsers', 'create', '--view')).toEqual(['--viewport']);
    expect(offered('browsers', 'create', '--js')).toEqual(['--json']);
    expect(offered('browsers', 'list', '--viewp')).toEqual([]);
  });

  it('offers the values of options', () => {
    expect(offered('browsers', 'create', '--engine', '').toSorted()).toEqual(['full', 'shell']);
    expect(offered('b', 'create', '--engine', 'f')).toEqual(['full']);
    expect(offered('scrape', 'x', '--format', 'm')).toEqual(['markdown']);
    expect(offered('screenshot', 'x', '--format', '').toSorted()).toEqual(['jpeg', 'png', 'webp']);
    expect(offered('pdf', 'x', '--paper', 'le').toSorted()).toEqual(['ledger', 'legal', 'letter']);
    expect(offered('browsers', 'create', '--name', '')).toEqual([]);
  });

  it('goes on after a comma in values that are lists', () => {
    expect(offered('browsers', 'list', '--status', 'stopp').toSorted()).toEqual(['stopped', 'stopping']);
    // zsh keeps what stands before the comma itself
    const [found, ...more] = offered('browsers', 'list', '--status', 'ready,clos');
    expect([found, ...more].map((word) => word?.replace('ready,', '')).toSorted()).toEqual([
      'closed',
      'closing',
    ]);
  });

  it('fetches browsers from the service where one is expected', () => {
    expect(offered('browsers', 'stop', '')).toEqual(['browser_1', 'shop']);
    expect(offered('browsers', 'close', 'shop', '')).toEqual(['browser_1', 'shop']);
    expect(offered('files', 'list', 'sh')).toEqual(['shop']);
    expect(offered('run', 'script.ts', '--browser', '')).toEqual(['browser_1', 'shop']);
    expect(offered('downloads', 'get', '--wait', 'sh')).toEqual(['shop']);
    expect(offered('downloads', 'get', 'shop', '')).toEqual([]);
  });

  it('offers files where one is expected, and choices of arguments', () => {
    expect(offered('files', 'upload', 'shop', 'my')).toEqual([expect.stringMatching(/^my(\\)? script.ts$/)]);
    expect(offered('run', 'my')).toEqual([expect.stringMatching(/^my(\\)? script.ts$/)]);
    expect(offered('completion', 'f')).toEqual(['fish']);
    expect(offered('config', 'set', '').toSorted()).toEqual(['key', 'url']);
  });
});

test('a value after = is completed', () => {
  expect(inBash('browsers', 'create', '--engine', '=', 'f')).toEqual(['full']);
  expect(inBash('browsers', 'create', '--engine', '=')).toEqual(['shell', 'full']);
  expect(inBash('b', 'create', '--engine', '=', 'full', '--dialogs', 'a')).toEqual(['accept']);
});

test.skipIf(!isInstalled('zsh'))('a value after = is completed in zsh, too', () => {
  expect(inZsh('browsers', 'create', '--engine=f')).toEqual(['full']);
});

test.skipIf(!isInstalled('fish'))('a value after = is completed in fish, too', () => {
  expect(inFish('browsers', 'create', '--engine=f')).toEqual(['--engine=full']);
});

/** At a terminal, with zsh's own completion system and a program that is found by PATH. */
test.skipIf(!isInstalled('zsh'))(
  'zsh completes at its prompt, and finds the program that lists browsers',
  () => {
    writeFileSync(join(folder, 'browserd.zsh'), zsh(nodes));
    writeFileSync(join(folder, 'browserd'), '#!/bin/sh\necho browser_1; echo shop\n', { mode: 0o755 });
    const output = run(
      'zsh',
      ['-f'],
      `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; PATH=$PWD:$PATH; autoload -Uz compinit; compinit -D -u; source ./browserd.zsh; print LOA''DED"
zpty -r z all '*LOADED*'
zpty -w -n z $'browserd browsers resu\t'
zpty -r -m z all '*resume*'
zpty -w -n z $'sh\t'
zpty -r -m z all '*shop*'
print -r -- $all`,
    );
    expect(output.join('\n')).toContain('shop');
  },
);

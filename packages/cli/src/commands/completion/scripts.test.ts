import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { makeProgram } from '../../program.ts';
import { fitsShell } from './completion.ts';
import { bash, fish, nodesOf, zsh } from './scripts.ts';

const nodes = nodesOf(makeProgram());

/** What bash offers when the last of the words is being typed. */
function offered(...words: string[]): string[] {
  const script = `browserd() { echo browser_1 shop; }
${bash(nodes)}
COMP_WORDS=(browserd ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_browserd; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

describe('completion', () => {
  test('knows every command, and none that is hidden', () => {
    const paths = nodes.map(({ path }) => path);
    expect(paths).toContain('browsers create');
    expect(paths).toContain('recordings stop');
    expect(paths).not.toContain('complete');
  });

  test('is accepted by bash', () => {
    execFileSync('bash', ['-n'], { input: bash(nodes) });
  });

  test('leads from command to command, over options and their values', () => {
    expect(offered('bro')).toEqual(['browsers']);
    expect(offered('browsers', 're')).toEqual(['resume']);
    expect(offered('--url', 'http://x', 'browsers', 'cr')).toEqual(['create']);
    expect(offered('--json', 'webhooks', '')).toEqual(['list', 'create', 'delete', 'deliveries', 'test']);
  });

  test('offers the options of the command and those of all', () => {
    expect(offered('browsers', 'create', '--view')).toEqual(['--viewport']);
    expect(offered('browsers', 'create', '--js')).toEqual(['--json']);
    expect(offered('browsers', 'list', '--viewp')).toEqual([]);
  });

  test('fetches browsers from the service where one is expected', () => {
    expect(offered('browsers', 'stop', '')).toEqual(['browser_1', 'shop']);
    expect(offered('files', 'list', 'sh')).toEqual(['shop']);
    expect(offered('run', 'script.ts', '--browser', '')).toEqual(['browser_1', 'shop']);
    expect(offered('files', 'upload', 'shop', '')).toEqual([]);
  });

  test('offers no word that a shell would interpret', () => {
    const words = ['browser_01', 'shop-2', '$(id)', '`id`', 'a b', '-rf', 'a;b', '', 'a\nb'];
    expect(words.filter(fitsShell)).toEqual(['browser_01', 'shop-2']);
  });

  test('is made for zsh and fish from the same tree', () => {
    expect(zsh(nodes)).toContain("'browsers create') subcommands=''");
    expect(zsh(nodes)).toMatch(/^#compdef browserd\n/);
    expect(fish(nodes)).toContain(
      "complete -c browserd -n '__fish_seen_subcommand_from browsers; and __fish_seen_subcommand_from create' -l viewport",
    );
  });
});

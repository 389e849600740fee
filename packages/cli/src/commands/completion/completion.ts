/** `completion` prints the script for a shell; the hidden `complete` lists the browsers that such a script offers. */
import { Argument, type Command } from 'commander';
import { act, type Call, living } from '../../call/call.ts';
import { examples } from '../../options/options.ts';
import { fish } from './fish.ts';
import { nodesOf } from './nodes.ts';
import { bash, zsh } from './scripts.ts';

const shells = { bash, zsh, fish };
/** A person waits at the prompt. */
const longestWaitMs = 1500;

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('completion for your shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(shells)))
    .addHelpText('after', about)
    .action((shell: keyof typeof shells) => {
      process.stdout.write(shells[shell](nodesOf(program)));
    });
  program
    .command('complete', { hidden: true })
    .argument('<what>')
    .action(
      act(async ({ client, out, signal }: Call) => {
        const limits = { signal, timeoutMs: longestWaitMs };
        const browsers = client.browsers.list({ status: living, limit: 100 }, limits);
        const { items } = await browsers.page();
        out.lines(items.flatMap(({ id, record }) => [id, record.name ?? '']).filter(fitsShell));
      }),
    );
}

/** Names come from the service: a word that a shell would split or interpret is not offered. */
export const fitsShell = (word: string): boolean => /^[\w.@][\w.@-]*$/.test(word);

const about = `
bash:  source <(browserd completion bash)        in ~/.bashrc
zsh:   source <(browserd completion zsh)         in ~/.zshrc, after compinit
fish:  browserd completion fish > ~/.config/fish/completions/browserd.fish
${examples('browserd completion zsh > ~/.browserd-completion')}`;

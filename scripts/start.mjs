/** npm start: everything the service needs, then the service itself, and beside it what makes the next start faster. */
import { keepCompiledCode } from './lib/compiled-code.mjs';
import { program } from './lib/program.mjs';
import { serve } from './lib/serve.mjs';
import { ensureBundle, freshBundle, serviceSource, startSource } from './lib/service-bundle.mjs';
import { setUp } from './lib/set-up.mjs';

await program(async (args) => {
  keepCompiledCode();
  const node = await setUp({ browsers: true });
  const bundle = freshBundle();
  // Where it cannot be made, the next start runs the sources too.
  const forNextStart = bundle ? undefined : ensureBundle(node).catch(() => undefined);
  const service = bundle ?? serviceSource;
  // Only one of several nodes needs more than the service itself; a service alone starts sooner without.
  const entry = process.env.BROWSERD_CLUSTER_ADDRESS ? [startSource, `--service=${service}`] : [service];
  const code = await serve(node, ['--disable-warning=ExperimentalWarning', ...entry, ...args]);
  await forNextStart;
  return code;
});

import { keepCompiledCode } from './lib/compiled-code.mjs';
import { program } from './lib/program.mjs';
import { serve } from './lib/serve.mjs';
import { setUp } from './lib/set-up.mjs';

/** npm start: everything the service needs, then the service itself. */
await program(async (args) => {
  keepCompiledCode();
  return serve(await setUp({ browsers: true }), [
    '--disable-warning=ExperimentalWarning',
    'packages/server/src/programs/main.ts',
    ...args,
  ]);
});

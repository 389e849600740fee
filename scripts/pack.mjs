/** npm run pack: what is published, as archives in packed/. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { archive, packageNames, writePackages } from './lib/pack.mjs';
import { program, root, say } from './lib/program.mjs';
import { setUp } from './lib/set-up.mjs';

await program(async () => {
  const node = await setUp({ browsers: false });
  const to = join(root, 'packed');
  rmSync(to, { recursive: true, force: true });
  const folders = await writePackages(node, packageNames, (name) => join(to, 'node_modules', name));
  for (const file of await archive(folders, to)) say(file);
  say(`\nTry them: npm install ${to}/*.tgz\nPublish:  npm publish FILE --access public`);
});

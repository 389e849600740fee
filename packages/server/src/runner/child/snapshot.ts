/**
 * The program that Node runs to make the runner's snapshot: it ends where a runner could report ready, and a runner that
 * starts from the snapshot goes on from there. It is linked to one file (toolbox/link.ts), as a snapshot has to be.
 */
import { startupSnapshot } from 'node:v8';
import { prepare } from './prepare.ts';
import { standInsFor } from './stand-ins.ts';

const [playwrightFolder = '', names = ''] = process.argv.slice(2);
void prepare(playwrightFolder, standInsFor(JSON.parse(names))).then(({ start }) => {
  startupSnapshot.setDeserializeMainFunction(() => start(process.argv[2] ?? ''));
});

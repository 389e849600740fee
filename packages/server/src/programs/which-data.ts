/**
 * Which database the operator means, where the environment does not say: that of the service that runs, else the one in
 * this folder. Never a new one without being asked for it: its keys would open nothing.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, readConfig, variableOf } from '../config.ts';
import { SetupError } from '../kit/setup-error.ts';
import type { RunningService } from './running-services.ts';

export interface Surroundings {
  env: Record<string, string | undefined>;
  services: () => RunningService[];
  /** Undefined where no person sits at a terminal. */
  ask?: (question: string) => Promise<string>;
  /** Which was taken, for the operator to see. */
  tell: (text: string) => void;
}

export type Data = Pick<Config, 'dataDir' | 'databaseUrl'>;

const folderVariable = variableOf('dataDir');
const isNamed = (env: Surroundings['env']): boolean =>
  Boolean(env[folderVariable] ?? env[variableOf('databaseUrl')]);

export async function whichData({ env, services, ask, tell }: Surroundings): Promise<Data> {
  const { dataDir, databaseUrl } = readConfig(env);
  if (isNamed(env)) return { dataDir, databaseUrl };
  const running = [
    ...new Map(services().map((each) => [`${each.dataDir} ${each.databaseUrl}`, each])).values(),
  ];
  const own = running.find((each) => each.dataDir === dataDir);
  if (!own && running.length > 1) throw new SetupError(severalRun(running));
  const service = own ?? running[0];
  if (service) {
    if (!own) tell(`The service that runs (process ${service.pid}) has its data in ${service.dataDir}.\n`);
    return { dataDir: service.dataDir, databaseUrl: service.databaseUrl ?? null };
  }
  if (hasDatabase(dataDir)) return { dataDir, databaseUrl };
  if (!ask) throw new SetupError(`${nothingIn(dataDir)}\n${howToSay}`);
  const answer = (await ask(`${nothingIn(dataDir)}\nThe data folder of the service: `)).trim();
  const chosen = resolve(answer);
  if (answer === '' || !hasDatabase(chosen))
    throw new SetupError(`${answer === '' ? 'No folder was named.' : nothingIn(chosen)}\n${howToSay}`);
  return { dataDir: chosen, databaseUrl };
}

const hasDatabase = (folder: string): boolean => existsSync(join(folder, 'browserd.sqlite'));

const nothingIn = (folder: string): string =>
  `There is no database in ${folder}, and no service was found running on this machine.`;

const howToSay = `Say where the service keeps its data: ${folderVariable}=FOLDER (or ${variableOf('databaseUrl')}=postgres://…) npm run keys -- …
Before the first start of a service, name the folder that it will have; the database is made there.`;

const severalRun = (running: RunningService[]): string =>
  `Several services run on this machine. Say whose keys you mean: ${folderVariable}=FOLDER npm run keys -- …\n${running
    .map(({ pid, dataDir }) => `  process ${pid}: ${dataDir}`)
    .join('\n')}`;

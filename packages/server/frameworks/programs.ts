/** Runs programs beside the packages of a project, as its user would: a file there, and Node. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const projects = join(import.meta.dirname, 'projects');
export const folderOf = (project: string): string => join(projects, project);

/** A framework that hangs is a failure, too. */
const programMs = 120_000;
const mostOutput = 64 * 1024 ** 2;

let written = 0;

/** What it prints. Fails with all that it said where it does not end well. */
export async function runProgram(
  project: string,
  code: string,
  env: Record<string, string> = {},
): Promise<string> {
  // Packages are found from here as from the project's own folder, and no tool of the repository looks in.
  const folder = join(folderOf(project), 'node_modules/.trials');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `trial-${process.pid}-${written++}.mjs`);
  await writeFile(file, code);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
      timeout: programMs,
      maxBuffer: mostOutput,
    });
    return stdout;
  } catch (error) {
    const { stdout, stderr, message, killed } = error as Error & Record<string, string>;
    throw new Error(`${killed ? 'It did not end in time.' : message.split('\n')[0]}\n${stdout}${stderr}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

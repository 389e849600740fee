/** `batch`: the same for every page of a list. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { act, type Call, readStdin } from '../../call/call.ts';
import { wrongUsage } from '../../failure.ts';
import { examples } from '../../options/options.ts';
import { itemsIn } from './batch-items.ts';
import { type BatchFlags, batchFrom, takesBatch } from './job-options.ts';
import { type FolderFlags, jobIntoFolder, takesFolder } from './run-job.ts';

export function addBatch(program: Command): void {
  takesBatch(
    takesFolder(
      program
        .command('batch [file]')
        .description('many pages: a file with an address or a JSON object a line; - for stdin'),
    ),
  )
    .addHelpText(
      'after',
      examples(
        'browserd batch addresses.txt --out pages',
        'browserd batch addresses.txt --action pdf --out prints',
        'browserd batch - --out pages < addresses.txt',
        'echo \'{"url": "https://example.com", "selector": "h1"}\' | browserd batch - --out pages',
        'browserd batch --resume job_… --out pages',
      ),
    )
    .action(
      act((call: Call<BatchFlags & FolderFlags>, file: string | undefined) =>
        jobIntoFolder(call, async () => {
          if (file === undefined) throw wrongUsage('Which pages? browserd batch FILE --out FOLDER');
          const text = file === '-' ? await readStdin() : await readFile(file, 'utf8');
          return { kind: 'batch', items: itemsIn(text), ...batchFrom(call.options) };
        }),
      ),
    );
}

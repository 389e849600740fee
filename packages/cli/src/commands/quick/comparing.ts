/**
 * `screenshot --baseline`: how much a page has changed. The exit code is 1 when it does not match, so a build can rely on it.
 * A baseline in a file of this machine is lent to the service for the call.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { api, QuickOptions } from '@browserd/sdk';
import type { Command } from 'commander';
import type { Call } from '../../call/call.ts';
import { AlreadyReported, exitCodes, wrongUsage } from '../../failure.ts';
import { another, decimal, withoutGaps } from '../../options/options.ts';
import { type SaveOptions, saveBytes } from '../../save/save.ts';
import { type CommonBody, type QuickFlags, waitingFor } from './quick-options.ts';

export interface CompareFlags {
  baseline?: string;
  threshold?: number;
  ignore?: string[];
  difference?: string;
}

export const takesBaseline = (command: Command): Command =>
  command
    .option('--baseline <png>', 'compare with this file of the project (file_…), or of this machine')
    .option('--threshold <share>', 'of the pixels that may differ, 0 to 1; 0 unless given', decimal)
    .option('--ignore <css>', 'do not compare what matches; may be repeated', another)
    .option('--difference <path>', 'where to write the picture of what differs');

/** Options that mean nothing alone. */
export function refuseWithoutBaseline({ baseline, ...others }: CompareFlags): void {
  if (baseline !== undefined) return;
  for (const name of ['threshold', 'ignore', 'difference'] as const)
    if (others[name] !== undefined) throw wrongUsage(`--${name} is of a comparison: name a --baseline.`);
}

const lentSeconds = 3600;

/** The id of the baseline, and what ends the loan of one of this machine. */
async function lend({ client, signal }: Call, baseline: string) {
  if (/^file_[a-z\d]+$/.test(baseline)) return { id: baseline, giveBack: async () => undefined };
  const found = await stat(baseline).catch((error: Error) => {
    throw wrongUsage(`There is no such baseline: ${error.message}`);
  });
  if (!found.isFile()) throw wrongUsage(`${baseline} is not a file.`);
  const options = { name: 'baseline.png', ttlSeconds: lentSeconds, signal };
  const { id } = await client.files.upload(createReadStream(baseline), options);
  return { id, giveBack: () => client.files.delete(id).catch(() => undefined) };
}

export async function compare(
  call: Call<QuickFlags & CompareFlags>,
  body: CommonBody & { store?: api.QuickScreenshot['store'] },
  how: QuickOptions,
): Promise<void> {
  const { client, options, out } = call;
  const { baseline = '', threshold, ignore, output, difference } = options;
  for (const path of [output, difference])
    if (path === '-')
      throw wrongUsage('The result of a comparison goes to stdout; name a file for a picture.');
  const lent = await lend(call, baseline);
  try {
    const asked = { ...body, ...withoutGaps({ threshold, ignore }), baseline: lent.id };
    const answer = await waitingFor(call, client.screenshot(asked, how));
    const { picture, differencePicture, ...told } = answer;
    const paths = {
      picture: await written(call, picture, output, 'screenshot.png'),
      difference: await written(call, differencePicture, difference, 'difference.png'),
    };
    out.done(withoutGaps({ ...told, ...paths }), String(told.difference), verdict(answer, baseline));
    if (!told.matches) throw new AlreadyReported(exitCodes.refused);
  } finally {
    await lent.giveBack();
  }
}

async function written(
  call: Call<SaveOptions>,
  picture: { content: string } | undefined,
  to: string | undefined,
  name: string,
): Promise<string | undefined> {
  if (!picture || to === undefined) return undefined;
  const bytes = Buffer.from(picture.content, 'base64');
  return saveBytes(call, Readable.from([bytes]), bytes.length, { to, name });
}

function verdict(answer: api.QuickCompared, baseline: string): string {
  const { matches, sameSize, size, differentPixels, comparedPixels, difference, files = [] } = answer;
  const share = `${differentPixels} of ${comparedPixels} pixels differ (${(difference * 100).toFixed(2)} %)`;
  const was = answer.baseline;
  const sizes = sameSize ? '' : `; it is ${size.width} × ${size.height}, not ${was.width} × ${was.height}`;
  const stored = files.map(({ id, name, address }) => `\n${id}  ${name}\n${address.url}`).join('');
  return `${matches ? 'Matches' : 'Does not match'} ${baseline}: ${share}${sizes}${stored}`;
}

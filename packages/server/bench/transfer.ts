/** A large file up and down, whole, in ranges, and by a slow reader: what it costs in time, and in memory at most. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Row, summarize, timed } from './measure.ts';
import { startBench } from './service.ts';

const megabyte = 1024 ** 2;
const megabytes = 500;
const partBytes = 50 * megabyte;

export async function benchTransfer(): Promise<Row[]> {
  await using bench = await startBench({ BROWSERD_POOL_SIZE: '0', BROWSERD_RUNNER_POOL_SIZE: '0' });
  const { id } = await bench.create();
  await bench.call('POST', `/v1/browsers/${id}/stop`);
  const headers = { authorization: `Bearer ${bench.key}` };
  const path = `${bench.url}/v1/browsers/${id}/files`;
  const upload = async (size: number): Promise<string> => {
    const chunk = randomBytes(megabyte);
    async function* chunks() {
      for (let n = 0; n < size; n++) yield chunk;
    }
    const init = { method: 'POST', headers, body: chunks(), duplex: 'half' };
    const response = await fetch(`${path}?name=large.bin`, init as unknown as RequestInit);
    return ((await response.json()) as { id: string }).id;
  };
  const download = async (file: string, range?: string, pauseMs = 0): Promise<void> => {
    const response = await fetch(`${path}/${file}/content`, {
      headers: { ...headers, ...(range && { range }) },
    });
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    if (bytes !== Number(response.headers.get('content-length'))) throw new Error('bytes are missing');
  };

  await download(await upload(10));
  const before = peakOf(bench.pid);
  const up = await timed(() => upload(megabytes));
  const file = up.value;
  const down = await timed(() => download(file));
  const ranges = await timed(async () => {
    for (let start = 0; start < megabytes * megabyte; start += partBytes)
      await download(file, `bytes=${start}-${start + partBytes - 1}`);
  });
  const slow = await timed(() => download(file, `bytes=0-${partBytes - 1}`, 2));
  const rates = (ms: number): number[] => [megabytes / (ms / 1000)];
  return [
    ...summarize('transfer', { [`upload of ${megabytes} MB`]: rates(up.ms) }, 'MB/s'),
    ...summarize('transfer', { [`download of ${megabytes} MB`]: rates(down.ms) }, 'MB/s'),
    ...summarize(
      'transfer',
      { [`the same in ranges of ${partBytes / megabyte} MB`]: rates(ranges.ms) },
      'MB/s',
    ),
    ...summarize('transfer', { 'a slow reader of one range': [slow.ms / 1000] }, 's'),
    ...summarize(
      'transfer',
      { 'memory at most, above that of 10 MB': [(peakOf(bench.pid) - before) / 1024] },
      'MB',
    ),
  ];
}

const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

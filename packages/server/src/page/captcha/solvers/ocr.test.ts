import { expect, test } from 'vitest';
import { Ocr } from './ocr.ts';

/** What a good reading is, the specs show with pictures of real pages. */
test('what is no picture fails alone, and the next is read by a new thread', async () => {
  const ocr = new Ocr();
  const reading = () => ocr.read(Buffer.from('not a picture'), new AbortController().signal);
  await expect(reading()).rejects.toThrow(/could not be read|ended/);
  await expect(reading()).rejects.toThrow(/could not be read|ended/);
  await ocr.close();
});

test('a reading that is given up ends the thread', async () => {
  const ocr = new Ocr();
  const late = AbortSignal.timeout(1);
  await expect(ocr.read(Buffer.from('never looked at'), late)).rejects.toThrow(/timeout/i);
  await ocr.close();
  await ocr.close();
});

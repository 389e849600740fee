/** The thread that reads (see ocr.ts). Whatever goes wrong in it, or in Tesseract's own thread below, ends it alone. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { createWorker, OEM, PSM } from 'tesseract.js';
import { threadGivesWay } from '../../../process/priority.ts';

const readable = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const model = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'));

threadGivesWay();

const tesseract = await createWorker('eng', OEM.LSTM_ONLY, {
  // From npm: nothing is downloaded, nothing is written.
  langPath: join(model, '4.0.0_best_int'),
  cacheMethod: 'none',
  gzip: true,
});
await tesseract.setParameters({
  tessedit_pageseg_mode: PSM.SINGLE_LINE,
  tessedit_char_whitelist: readable,
});

async function read(picture: Uint8Array): Promise<void> {
  const { data } = await tesseract.recognize(Buffer.from(picture));
  parentPort?.postMessage({ text: data.text.replace(/\s+/g, ''), confidence: data.confidence });
}

// A failure is not caught: it ends the thread, and rejects the call that waits.
parentPort?.on('message', (picture: Uint8Array) => void read(picture));

/** Settings of how much callers and browsers may send and keep, and how long running calls may take to finish. */
import { setting } from './setting.ts';
import { count, duration, size } from './values.ts';

export const limitSettings = {
  shutdownGrace: setting(duration, '15s', 'Time for running calls to finish after SIGTERM.'),
  rateLimit: setting(count(1, 100_000_000), '60000', 'Requests a minute for each key.'),
  bodyLimit: setting(
    size,
    '10MiB',
    'Largest JSON body of a script call or of a page that is sent as `html`; other calls take 1 MiB of it at most.',
  ),
  uploadLimit: setting(size, '1GiB', 'Largest file that can be uploaded to a browser or to the project.'),
  downloadLimit: setting(size, '1GiB', 'Largest file that a browser can download.'),
  storageQuota: setting(
    size,
    null,
    'Bytes that the files of a project may have together, with those of all its browsers; also what its jobs hold, with their pages and results.',
    'half of the disk that has them; none in a bucket',
  ),
  storageReserve: setting(
    size,
    '256MiB',
    'Room on the disk of the data folder that files never take, so that everything else goes on when it fills.',
  ),
  browserDisk: setting(
    size,
    '2GiB',
    'Bytes that one running browser may have on the disk: its profile (site data, caches) and the files that are handed to and from it. A browser that has more is ended as `failed`.',
  ),
  projectDisk: setting(
    size,
    null,
    'The same for all running browsers of a project together; the one that has the most is ended.',
    'none',
  ),
};

/** Settings of where the service listens, where it keeps its data, and the keys that protect them. */
import { z } from 'zod';
import { setting } from './setting.ts';
import { apiKey, count, path, publicUrl, secretKeys } from './values.ts';

export const placeSettings = {
  host: setting(
    z.string().min(1),
    '127.0.0.1',
    'Address to listen on. Anything but loopback needs strict isolation.',
  ),
  port: setting(count(0, 65_535), '8787', 'Port to listen on; 0 takes a free one.'),
  publicUrl: setting(
    publicUrl,
    null,
    'What addresses that are handed out begin with, when a proxy or TLS terminator stands in front: `https://browsers.example.com`, or with a path.',
    'the host that the caller used',
  ),
  dataDir: setting(
    path,
    '.browserd',
    'Folder for the database, the first key, the files and the state of stopped browsers.',
  ),
  scratchDir: setting(
    path,
    null,
    'Folder for the profiles of running browsers; a fast local disk or tmpfs. Emptied on start.',
    'a folder of its own in memory (/dev/shm) where 2 GiB are free there, else in the temporary folder',
  ),
  exchangeDir: setting(
    path,
    null,
    'Folder for downloads under way and for files that pages may read; on a disk, since one file may be larger than the memory. Emptied on start.',
    '`exchange` in the data folder; when started as root, a folder of its own in /var/tmp, which the user that Chromium runs as can reach',
  ),
  cacheDir: setting(
    path,
    null,
    'Folder for what the service prepares once and finds again at later starts: a copy of Playwright, compiled. Services of one user share it; it holds at most a few copies of about 15 MB and may be deleted at any time. It is left unused when other users can write to it.',
    '/var/cache/browserd when started as root (macOS: /Library/Caches/browserd), else `browserd` in the user’s cache folder; where there is none, nothing is kept',
  ),
  apiKey: setting(apiKey, null, 'The first admin key, instead of one made on first start.'),
  secretKey: setting(
    secretKeys,
    null,
    'The key that seals what is stored (checkpoints, proxy passwords, secrets): 32 bytes as base64 or hex. Of several, separated by commas, the first seals and all open; see docs/secrets.md.',
    'a key file, `secret-key` in the data folder, made at the first start',
  ),
  databaseUrl: setting(
    z.string().regex(/^(sqlite:|postgres(ql)?:\/\/)/, 'expected postgres://… or sqlite:PATH'),
    null,
    'Where records live.',
    'SQLite in the data folder',
  ),
};

/** Settings of several nodes on one database, and of what they share. */
import { z } from 'zod';
import { setting } from './setting.ts';
import { blobPlace, duration, hostAndPort } from './values.ts';

export const clusterSettings = {
  clusterAddress: setting(
    hostAndPort,
    null,
    'Where other nodes on the same database reach this one, as `host:port` of a private network; it listens there. Makes it a node of a cluster, which needs PostgreSQL and a shared `BROWSERD_BLOBS`; see docs/cluster.md.',
    'none: the service works alone',
  ),
  lease: setting(
    duration.pipe(z.number().min(1000, 'expected at least 1s').max(600_000, 'expected at most 10m')),
    '30s',
    'How long a node of a cluster may be silent before others take its browsers. It gives a sign ten times as often, and lets its browsers reach the network for two thirds of it after the last one that arrived. The same on all nodes.',
  ),
  zone: setting(
    z.string().regex(/^[\w.-]{1,64}$/, 'expected up to 64 letters, digits, dots, dashes'),
    null,
    'A name for where the node runs, such as the zone of a data centre. It is shown.',
  ),
  drain: setting(
    z.enum(['handover', 'stop']),
    'handover',
    'What a node of a cluster does with its browsers on SIGTERM: `handover` to other nodes, or `stop`. Without another node with room it is `stop`.',
  ),
  blobs: setting(
    blobPlace,
    null,
    'Where files, recordings and packed profiles lie: `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`, or the absolute path of a folder that all nodes share; see docs/storage.md.',
    '`blobs` in the data folder',
  ),
  s3AccessKeyId: setting(z.string().min(1).max(256), null, 'The access key for S3.'),
  s3SecretAccessKey: setting(z.string().min(1).max(1024), null, 'The secret that belongs to it.'),
  s3SessionToken: setting(
    z.string().min(1).max(8192),
    null,
    'The session token, for credentials that are lent for a time.',
  ),
  vaultInterval: setting(
    duration,
    '5m',
    'Shortest time between two saved profiles of a running browser that changes, in a cluster: what another node begins with when this one is lost.',
  ),
};

/** Settings of connections to the service, its metrics and its log. */
import { z } from 'zod';
import { setting } from './setting.ts';
import { apiKey, count, duration } from './values.ts';

export const connectionSettings = {
  maxConnections: setting(
    count(1, 100_000),
    '2048',
    'Open client connections at the same time. Beyond it, connections without a request or a key are closed, those of the address with most first; a sixteenth more is kept for health checks and admin keys.',
  ),
  maxRequestsPerProject: setting(
    count(1, 100_000),
    null,
    'Requests, sockets and event streams of one project that are under way at the same time; one key may have three quarters of them.',
    'half of BROWSERD_MAX_CONNECTIONS',
  ),
  maxSocketsPerProject: setting(
    count(1, 100_000),
    null,
    'CDP sockets, live views and event streams of one project at the same time; one key may have three quarters of them.',
    'a quarter of BROWSERD_MAX_CONNECTIONS',
  ),
  requestTimeout: setting(
    duration,
    '30s',
    'Time for a client to send its whole request; an upload may take longer while its bytes come on.',
  ),
  metrics: setting(
    z.enum(['protected', 'open', 'off']),
    'protected',
    '`GET /metrics`: for admin keys and the metrics token (`protected`), for everybody (`open`), or not there (`off`).',
  ),
  metricsToken: setting(
    apiKey,
    null,
    'A bearer token that may read `GET /metrics` and nothing else, for the collector of metrics.',
  ),
  logLevel: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
    'Least severe log lines to write.',
  ),
};

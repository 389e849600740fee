/** Settings of what the service tells of browsers, and where they and its webhooks may go. */
import { z } from 'zod';
import { setting } from './setting.ts';
import { duration, list, nameServers } from './values.ts';

export const reachSettings = {
  eventHeartbeat: setting(
    duration,
    '15s',
    'How often a live stream of events says that it is alive, and looks whether its key still is.',
  ),
  consoleEvents: setting(
    z.enum(['on', 'off']),
    'on',
    'Events of the type `console.error`. `off` where pages must find no trace of being listened to.',
  ),
  networkLog: setting(
    z.enum(['on', 'off']),
    'on',
    'The log of what pages asked of the network (`GET …/network`, HARs). `off`: it stays empty.',
  ),
  webhookRetries: setting(
    list.pipe(z.array(duration)),
    '5s,1m,5m,30m,2h,5h,10h,14h,20h',
    'Pauses between the attempts to deliver to a webhook, separated by commas; after the last one it is given up.',
  ),
  webhookPrivateAccess: setting(
    list,
    '',
    'Private targets that webhooks may have: hosts, address ranges such as `10.0.0.0/8`, or `localhost`, separated by commas.',
    'none: public addresses only',
  ),
  dnsServers: setting(
    nameServers,
    '',
    'Name servers that browsers and webhooks ask, such as `10.0.0.53` or `127.0.0.1:5353`, separated by commas.',
    'those of the machine',
  ),
  extensions: setting(
    z.enum(['off', 'admin', 'all']),
    'admin',
    'Who may upload extensions for Chromium: keys of the role `admin`, `all` keys, or with `off` no key; then no browser starts with one either. Every key of a project may use what was uploaded to it. See docs/extensions.md.',
  ),
  filterLists: setting(
    list,
    '',
    'Filter lists such as EasyList that callers may name in `policy.lists`: files or folders with `.txt` files, separated by commas. `ads.txt` is the list `ads`. They are read at start; see docs/rules.md.',
    'none',
  ),
  privateAccess: setting(
    list,
    null,
    'The most that `privateAccess` of a policy may open, and a `proxy` may be: hosts, address ranges such as `10.0.0.0/8`, or `localhost`, separated by commas; empty for nothing. `PROJECT=ENTRY` is for one project, which then has its own entries only (`shop=10.1.0.0/16,guests=`). The service, its database and metadata addresses stay closed whatever it says.',
    '`localhost` where the service listens on loopback and has one project, otherwise nothing',
  ),
  mcpPrivateAccess: setting(
    z.enum(['on', 'off']),
    'off',
    'Whether models may choose private addresses (`privateAccess`) and a `proxy` for their browsers at `/mcp`. A page that talks a model into it gets as far.',
  ),
};

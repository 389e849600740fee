/** The rooms of the SDK, and which of them may import which. */
import { testWalls } from '../../../scripts/lib/walls-suite.ts';

testWalls(import.meta.dirname, {
  plan: {
    sdk: [
      ...[
        'browser',
        'browsers',
        'client',
        'computer',
        'events',
        'extensions',
        'files',
        'fonts',
        'http',
        'jobs',
      ],
      ...['keys', 'live-frame', 'nodes', 'profiles', 'verify-webhook'],
    ],
    client: [
      ...['browser', 'browsers', 'events', 'extensions', 'files', 'fonts', 'http', 'jobs', 'keys', 'nodes'],
      ...['profiles', 'secrets', 'webhooks'],
    ],
    browser: ['computer', 'events', 'http'],
    computer: [],
    browsers: ['browser', 'http'],
    events: ['http'],
    extensions: ['http'],
    files: ['browser', 'http'],
    fonts: ['http'],
    jobs: ['http'],
    keys: ['http'],
    'live-frame': [],
    nodes: ['http'],
    profiles: ['http'],
    secrets: ['http'],
    webhooks: ['http'],
    'verify-webhook': [],
    http: [],
    generated: [],
    errors: [],
  },
  openToAll: ['errors', 'generated'],
});

/** The rooms of the SDK, and which of them may import which. */
import { testWalls } from '../../../scripts/lib/walls-suite.ts';

testWalls(import.meta.dirname, {
  plan: {
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
    webhooks: ['http'],
    'verify-webhook': [],
    http: [],
    generated: [],
    errors: [],
  },
  openToAll: ['errors', 'generated'],
});

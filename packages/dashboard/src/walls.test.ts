/**
 * The rooms of the dashboard, and which of them may import which. A page is a room whose door is its component; pages
 * never import each other, so that each is loaded alone.
 */
import { testWalls } from '../../../scripts/lib/walls-suite.ts';

testWalls(import.meta.dirname, {
  plan: {
    main: ['routes', 'shell', 'session'],
    routes: ['pages', 'shell'],
    pages: {
      may: ['shell', 'view', 'data', 'session'],
      rooms: {
        browser: {
          may: [],
          rooms: {
            header: [],
            watch: ['browser-events', 'panels', 'replay', 'timeline'],
            replay: ['browser-events', 'panels', 'timeline'],
            panels: ['browser-events'],
            requests: {
              may: ['network-address'],
              rooms: { detail: ['phases', 'request-facts'], phases: [], 'request-facts': [] },
            },
            timeline: ['browser-events', 'network-address'],
            'browser-events': [],
            'network-address': [],
          },
        },
        browsers: { may: [], rooms: { bulk: [], create: [], table: [] } },
        health: [],
        job: [],
        jobs: [],
        keys: [],
        nodes: [],
        profiles: [],
        quick: [],
        script: { may: [], rooms: { editor: [], outcome: ['use-run'] } },
        secrets: [],
        webhooks: [],
      },
    },
    shell: ['session', 'data'],
    view: ['data', 'session'],
    data: ['session'],
    session: [],
    parts: {
      may: [],
      rooms: {
        browser: ['controls', 'dialogs', 'notices', 'text'],
        job: ['controls', 'dialogs', 'notices', 'text'],
        files: ['controls', 'notices'],
        copy: ['controls', 'dialogs', 'forms', 'notices'],
        dialogs: ['controls', 'notices'],
        notices: ['controls'],
        forms: [],
        controls: [],
        text: [],
      },
    },
  },
  openToAll: ['parts'],
});

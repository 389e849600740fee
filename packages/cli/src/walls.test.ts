/** The rooms of the command line, and which of them may import which. */
import { testWalls } from '../../../scripts/lib/walls-suite.ts';

testWalls(import.meta.dirname, {
  plan: {
    browserd: ['main', 'call'],
    main: ['program', 'call', 'output'],
    program: ['commands', 'options'],
    commands: {
      may: ['call', 'options', 'output', 'save', 'server', 'settings', 'whole-file'],
      rooms: {
        artifacts: [],
        browsers: [],
        completion: [],
        computer: [],
        jobs: ['quick'],
        profiles: [],
        quick: [],
        run: ['browsers'],
        service: [],
      },
    },
    save: ['call', 'output', 'whole-file'],
    server: ['call'],
    call: ['options', 'output', 'settings'],
    settings: ['whole-file'],
    options: [],
    output: [],
    'whole-file': [],
    failure: [],
    version: [],
  },
  openToAll: ['failure', 'version'],
});

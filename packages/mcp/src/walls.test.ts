/** The rooms of the MCP package, and which of them may import which. */
import { testWalls } from '../../../scripts/lib/walls-suite.ts';

testWalls(import.meta.dirname, {
  plan: {
    mcp: ['transports', 'server'],
    transports: ['server'],
    server: ['tools', 'answers'],
    tools: ['answers'],
    answers: [],
  },
});

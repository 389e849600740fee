import { Browserd } from '@browserd/sdk';
import { serveStdio } from '../src/mcp.ts';

/** A program for clients that start their servers: what `browserd mcp --allow-private` does. */
await serveStdio(new Browserd(), { privateAccess: true });

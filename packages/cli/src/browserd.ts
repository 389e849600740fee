#!/usr/bin/env node
/** The process: it listens for signals, and ends with the exit code of its one run. */
import { listenForSignals } from './call/call.ts';
import { main } from './main.ts';

listenForSignals();
process.exitCode = await main();
// Standard input is no longer read; it must not keep the process alive.
process.stdin.destroy();

/**
 * The protocol as clients may speak it, in the form in which Chromium describes its own: clients that build their calls
 * from it offer nothing that the filter refuses.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { openMethods } from './methods.ts';
import { ruledMethods } from './rules.ts';

interface Domain {
  domain: string;
  commands?: { name: string }[];
}

interface Protocol {
  version: { major: string; minor: string };
  domains: Domain[];
}

const require = createRequire(import.meta.url);
const parts = ['browser_protocol', 'js_protocol'];
let read: Promise<Protocol> | undefined;

/** Of the Chromium that the filter was last compared with; more than a megabyte, read when a client first asks. */
export function clientProtocol(): Promise<Protocol> {
  read ??= readParts().catch((error: unknown) => {
    read = undefined;
    throw error;
  });
  return read;
}

async function readParts(): Promise<Protocol> {
  const found = await Promise.all(
    parts.map(
      async (name) =>
        JSON.parse(
          await readFile(require.resolve(`devtools-protocol/json/${name}.json`), 'utf8'),
        ) as Protocol,
    ),
  );
  return {
    version: found[0]?.version ?? { major: '1', minor: '3' },
    domains: found.flatMap(({ domains }) => domains).flatMap(allowed),
  };
}

function allowed({ commands = [], ...domain }: Domain): Domain[] {
  const open = commands.filter(({ name }) => {
    const method = `${domain.domain}.${name}`;
    return openMethods.has(method) || ruledMethods.has(method);
  });
  // A domain of types alone is one that others refer to.
  return open.length > 0 || commands.length === 0 ? [{ ...domain, commands: open }] : [];
}

/**
 * Where browsers and webhooks may go: as far as the operator allows, and never to the service's own addresses, which are
 * known when it listens, nor to its database, nor to the S3 server of its own that has its bytes.
 */
import { blobsEndpoint } from './artifacts/artifacts.ts';
import type { Config } from './config.ts';
import { openCeiling, openOutgoing, openOwnServices } from './egress/egress.ts';
import type { Store } from './store/records.ts';

interface BordersParts {
  config: Config;
  store: Store;
  projectName(projectId: string): Promise<string>;
}

export async function openBorders({ config, store, projectName }: BordersParts) {
  const listeners: { host: string; port: number }[] = [];
  const services = [config.databaseUrl, blobsEndpoint(config)].filter((url) => typeof url === 'string');
  const ownServices = await openOwnServices(services);
  const ownListeners = () => [...listeners, ...ownServices.listeners()];
  const countProjects = () => store.projects.count();
  const ceiling = await openCeiling({
    allowed: config.privateAccess,
    host: config.host,
    countProjects,
    nameOf: projectName,
  });
  const outgoing = openOutgoing({
    allowed: config.webhookPrivateAccess,
    ownListeners,
    names: { servers: config.dnsServers },
  });
  return {
    ceiling,
    outgoing,
    ownListeners,
    countProjects,
    /** The service listens there. */
    listensAt: (listener: { host: string; port: number }): void => void listeners.push(listener),
    [Symbol.dispose]: () => ownServices[Symbol.dispose](),
  };
}

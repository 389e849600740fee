/** The tables behind the interface in records.ts, one file each. */
export { artifacts } from './artifacts.ts';
export { browsers } from './browsers.ts';
export { checkpoints } from './checkpoints.ts';
export { deliveries } from './deliveries.ts';
export { events } from './events.ts';
export { extensions } from './extensions.ts';
export { idempotency } from './idempotency.ts';
export { keys } from './keys.ts';
export { localStorage } from './local-storage.ts';
export { nodes } from './nodes.ts';
export { profiles } from './profiles.ts';
export { projectSecrets } from './project-secrets.ts';
export { projects } from './projects.ts';
export { sealing } from './sealing.ts';
export { secrets } from './secrets.ts';
export { sweep } from './sweep.ts';
export { webhooks } from './webhooks.ts';

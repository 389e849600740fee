/** The pages, each in a file of its own that is loaded when the page is opened. */
import { lazyPage } from '../shell/shell.tsx';

export const BrowsersPage = lazyPage(async () => (await import('./browsers/browsers.tsx')).BrowsersPage);
export const BrowserPage = lazyPage(async () => (await import('./browser/browser.tsx')).BrowserPage);
export const ScriptPage = lazyPage(async () => (await import('./script/script.tsx')).ScriptPage);
export const QuickPage = lazyPage(async () => (await import('./quick/quick.tsx')).QuickPage);
export const ProfilesPage = lazyPage(async () => (await import('./profiles/profiles.tsx')).ProfilesPage);
export const JobsPage = lazyPage(async () => (await import('./jobs/jobs.tsx')).JobsPage);
export const JobPage = lazyPage(async () => (await import('./job/job.tsx')).JobPage);
export const KeysPage = lazyPage(async () => (await import('./keys/keys.tsx')).KeysPage);
export const SecretsPage = lazyPage(async () => (await import('./secrets/secrets.tsx')).SecretsPage);
export const WebhooksPage = lazyPage(async () => (await import('./webhooks/webhooks.tsx')).WebhooksPage);
export const NodesPage = lazyPage(async () => (await import('./nodes/nodes.tsx')).NodesPage);
export const HealthPage = lazyPage(async () => (await import('./health/health.tsx')).HealthPage);

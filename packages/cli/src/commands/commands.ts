/** All commands, in the groups and the order of the help. */
import { addDownloads, addFiles, addProjectFiles, addRecordings, addTrace } from './artifacts/artifacts.ts';
import { addBrowsers } from './browsers/browsers.ts';
import { addCaptcha } from './captcha.ts';
import { addCdp } from './cdp.ts';
import { addCompletion } from './completion/completion.ts';
import { addComputer } from './computer/computer.ts';
import { addConfig } from './config.ts';
import { addDialogs } from './dialogs.ts';
import { addEvents } from './events.ts';
import { addExtensions } from './extensions.ts';
import { addHandoff } from './handoff.ts';
import { addKeys } from './keys.ts';
import { addMcp } from './mcp.ts';
import { addHar, addNetwork } from './network.ts';
import { addObserve } from './observe.ts';
import { addPermissions } from './permissions.ts';
import { addProfiles } from './profiles/profiles.ts';
import { addPdf, addScrape, addScreenshot } from './quick/quick.ts';
import { addRun } from './run/run.ts';
import { addSecrets } from './secrets.ts';
import { addDoctor, addServe } from './service/service.ts';
import { addTabs } from './tabs.ts';
import { addWebhooks } from './webhooks.ts';

export const commandGroups = {
  'The service:': [addServe, addDoctor],
  'Browsers:': [
    addBrowsers,
    addProfiles,
    addExtensions,
    addRun,
    addObserve,
    addTabs,
    addComputer,
    addDialogs,
    addPermissions,
    addCaptcha,
    addCdp,
    addHandoff,
    addEvents,
    addNetwork,
    addHar,
  ],
  'One page, one call:': [addScrape, addScreenshot, addPdf, addProjectFiles],
  'What a browser holds:': [addFiles, addDownloads, addRecordings, addTrace],
  'Around it:': [addMcp, addKeys, addSecrets, addWebhooks, addConfig, addCompletion],
};

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
import { addFonts } from './fonts.ts';
import { addHandoff } from './handoff.ts';
import { addBatch, addCrawl, addJobs, addMap } from './jobs/jobs.ts';
import { addKeys } from './keys.ts';
import { addMcp } from './mcp.ts';
import { addHar, addNetwork } from './network.ts';
import { addNodes } from './nodes.ts';
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
  'The service:': [addServe, addDoctor, addNodes],
  'Browsers:': [
    addBrowsers,
    addProfiles,
    addExtensions,
    addFonts,
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
  'Many pages, one job:': [addCrawl, addBatch, addMap, addJobs],
  'What a browser holds:': [addFiles, addDownloads, addRecordings, addTrace],
  'Around it:': [addMcp, addKeys, addSecrets, addWebhooks, addConfig, addCompletion],
};

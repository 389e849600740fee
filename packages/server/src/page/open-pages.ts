/** Builds this room: scripts, captures, captchas, viewers, foreign CDP clients. Decides what may run without boxes. */
import type { Artifacts } from '../artifacts/artifacts.ts';
import type { BrowsersOnNode, Downloads, RecordingCuts, Running } from '../browsers/browsers.ts';
import { ApiError } from '../errors.ts';
import type { Events } from '../events/events.ts';
import type { ProjectFiles } from '../files/files.ts';
import type { Log } from '../kit/log.ts';
import type { RunnerHost } from '../runner/runner.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { Captchas, type CaptchasParts } from './captcha/captcha.ts';
import { Captures } from './capture/capture.ts';
import { Computers } from './computer/computer.ts';
import { Evidence } from './evidence/evidence.ts';
import { Observations, resolveRef } from './observe/observe.ts';
import { Pixels } from './pixels/pixels.ts';
import { Attachments } from './reach/reach.ts';
import { TabScrapes } from './read/read.ts';
import { Scripts, type ScriptsParts } from './script/script.ts';
import { SecretTyping } from './secret/secret.ts';
import { TabCalls } from './tabs/tabs.ts';
import { Views } from './view/view.ts';

export interface OpenPagesParts {
  browsers: BrowsersOnNode;
  downloads: Downloads;
  cuts: RecordingCuts;
  secrets: Secrets;
  runners: RunnerHost;
  artifacts: Artifacts;
  projectFiles: ProjectFiles;
  events: Events;
  log: Log;
  isolation: { mode: 'strict' | 'process'; detail: string; oneProject?: true };
  /** How many projects there are. */
  countProjects(): Promise<number>;
  /** A folder that only the service can enter, empty when it starts. */
  evidenceDir: string;
  config: {
    traceLimit: number;
    captchaSolvers: CaptchasParts['solvers'];
    captchaProviderUrl: string | null;
    captchaProviderKey: string | null;
  };
  /** How a captcha provider is called. */
  post: NonNullable<CaptchasParts['provider']>['post'];
  onExecuted?: ScriptsParts['onExecuted'];
}

export interface PageRoom extends AsyncDisposable {
  scripts: Scripts;
  captures: Captures;
  pixels: Pixels;
  captchas: Captchas;
  scrapes: TabScrapes;
  tabs: TabCalls;
  observations: Observations;
  views: Views;
  computers: Computers;
  attachments: Attachments;
}

export function openPages(parts: OpenPagesParts): PageRoom {
  const { browsers, runners, artifacts, events, log, isolation } = parts;
  const pixels = new Pixels({ files: parts.projectFiles });
  const captures = new Captures({ browsers, artifacts, pixels, files: parts.projectFiles });
  const { captchaSolvers: solvers, captchaProviderUrl: url, captchaProviderKey: key } = parts.config;
  const provider = url !== null && key !== null ? { url, key, post: parts.post } : undefined;
  const captchas = new Captchas({ browsers, events, solvers, provider });
  const attachments = new Attachments({
    browsers,
    log,
    checkIsolation: () => {
      if (isolation.mode === 'process') throw needsBoxes('CDP clients are let in only', isolation.detail);
    },
    resolveRef,
  });
  const { secrets } = parts;
  const evidence = new Evidence({
    artifacts,
    masks: secrets.masks,
    log,
    folder: parts.evidenceDir,
    traceLimit: parts.config.traceLimit,
  });
  const clientsOf = (running: Running) => attachments.clientsOf(running);
  const observations = new Observations({ browsers, artifacts, masks: secrets.masks, log });
  const scripts = new Scripts({
    masks: secrets.masks,
    secretTyping: new SecretTyping({ browsers, secrets, events, clientsOf }),
    browsers,
    runners,
    artifacts,
    captures,
    observations,
    evidence,
    cuts: parts.cuts,
    captchas,
    events,
    log,
    checkIsolation: async () => {
      if (isolation.mode === 'process' && !isolation.oneProject && (await parts.countProjects()) > 1)
        throw needsBoxes('Code of several projects is run only', isolation.detail);
    },
    onExecuted: parts.onExecuted,
  });
  const lend = (running: Running, fileId: string) => lendFile(artifacts, running, fileId);
  const views = new Views({
    browsers,
    events,
    log,
    hold: (running) => scripts.hold(running),
    downloads: (projectId, browserId) => newestDownloads(parts, { projectId, browserId }),
    lend,
  });
  const computers = new Computers({ scripts, captures, events: parts.events, lend });
  browsers.followHandoffs(views);
  return {
    scripts,
    captures,
    pixels,
    captchas,
    scrapes: new TabScrapes({ browsers, captchas }),
    tabs: new TabCalls({ browsers }),
    observations,
    views,
    computers,
    attachments,
    async [Symbol.asyncDispose]() {
      computers.close();
      await scripts.close();
      await evidence.close();
      await captchas.close();
      await pixels.close();
    },
  };
}

const needsBoxes = (what: string, detail: string): ApiError =>
  new ApiError('ISOLATION_UNAVAILABLE', `${what} in strict isolation, which this machine lacks: ${detail}.`);

async function lendFile(artifacts: Artifacts, running: Running, fileId: string): Promise<string> {
  const record = await artifacts.get({ projectId: running.projectId, browserId: running.id }, fileId);
  const gone = () => new ApiError('FILE_NOT_FOUND', 'This browser has no such file any more. Pick it again.');
  if (!record?.sha256) throw gone();
  return running.live.files.lend(record, () => artifacts.borrowed(record, gone));
}

async function newestDownloads(
  { artifacts, downloads }: Pick<OpenPagesParts, 'artifacts' | 'downloads'>,
  owner: { projectId: string; browserId: string },
) {
  const { items } = await artifacts.list({ ...owner, kind: 'download' }, { limit: 10 });
  return items.map((record) => {
    const { id, tabId, suggestedFilename, state, receivedBytes, totalBytes } = downloads.view(record);
    return { id, tabId, suggestedFilename, state, receivedBytes, totalBytes };
  });
}

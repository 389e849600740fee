/** Downloads of a browser: their records and their bytes. */
import type { Downloads } from '../../browsers/browsers.ts';
import { type DownloadView, downloadSchema } from '../../browsers/downloads/schema.ts';
import type { App } from '../wire/wire.ts';
import { type ArtifactRoutesParts, artifactRoutes } from './artifact-routes.ts';
import { browserExample } from './browser-examples.ts';

const downloadExample: DownloadView = {
  id: 'download_01ja9q4m8h2f7t3k5w6x8y0z1a',
  suggestedFilename: 'report.csv',
  url: 'https://example.com/report.csv',
  tabId: '6F0B4F7E9D550C4B5F1D9A112F1C7A0E',
  state: 'completed',
  receivedBytes: 48_213,
  totalBytes: 48_213,
  size: 48_213,
  mimeType: 'text/csv',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  startedAt: browserExample.createdAt,
  completedAt: browserExample.createdAt,
};

/** What the pages of a browser downloaded, also of a closed one for as long as its record is kept. */
export function downloadRoutes(app: App, parts: ArtifactRoutesParts & { downloads: Downloads }): void {
  const { downloads } = parts;
  artifactRoutes(app, parts, {
    kind: 'download',
    plural: 'downloads',
    tag: 'Downloads',
    controller: 'DownloadController',
    schema: downloadSchema,
    pageId: 'DownloadPage',
    example: downloadExample,
    notFound: 'DOWNLOAD_NOT_FOUND',
    about: {
      list: 'All downloads of the browser, newest first: from a click, a script or an address, in any tab, with or without a client attached. They are listed as soon as they begin, go on when their tab closes, and stay when the browser is closed. At most 32 run at once; what a page starts beyond that is cancelled, which an event tells.',
      get: 'With its progress while it runs.',
      content: 'Once it is completed. ',
      remove:
        'One that is running is cancelled. Record and bytes are gone when it answers, and no longer count towards the quota.',
    },
    view: (record) => downloads.view(record),
    refuseWithoutContent: (record) => downloads.refuseWithoutContent(record),
    contentCodes: ['DOWNLOAD_NOT_FINISHED', 'DOWNLOAD_FAILED'],
    remove: (owner, id) => downloads.remove(owner, id),
  });
}

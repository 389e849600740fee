/** Videos of what a browser showed: starting, ending, fetching. */
import type { RecordingOrders } from '../../browsers/browsers.ts';
import { type Recording, recordingSchema } from '../../browsers/recordings/schema.ts';
import { ApiError } from '../../errors.ts';
import { answers } from '../contract/contract.ts';
import type { App } from '../wire/wire.ts';
import { type ArtifactRoutesParts, artifactRoutes, browserParams } from './artifact-routes.ts';
import { browserExample } from './browser-examples.ts';

const recordingExample: Recording = {
  id: 'recording_01ja9q4m8h2f7t3k5w6x8y0z1a',
  state: 'ready',
  startedAt: browserExample.createdAt,
  endedAt: browserExample.createdAt,
  durationMs: 31_204,
  width: 1280,
  height: 720,
  size: 1_048_213,
  mimeType: 'video/webm',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  epoch: 1,
  frames: 143,
};
const recording = { description: 'The recording.', schema: recordingSchema };
const tags = ['Recordings'];

export interface RecordingRoutesParts extends ArtifactRoutesParts {
  recordings: RecordingOrders;
}

/** Videos of a browser, also of a closed one for as long as its record is kept. */
export function recordingRoutes(app: App, parts: RecordingRoutesParts): void {
  const { browsers, recordings } = parts;
  artifactRoutes(app, parts, {
    kind: 'recording',
    plural: 'recordings',
    tag: 'Recordings',
    controller: 'RecordingController',
    schema: recordingSchema,
    pageId: 'RecordingPage',
    example: recordingExample,
    notFound: 'RECORDING_NOT_FOUND',
    about: {
      list: 'The recordings of the browser, newest first: one for each epoch in which it was recorded, and another whenever one is as long or as large as the server allows. They stay when the browser is closed.',
      content: 'WebM (VP9), playable and seekable in browsers, once it is `ready`. ',
      remove: 'One that is running is stopped. Record and bytes are gone when it answers.',
    },
    view: (record) => recordings.view(record),
    refuseWithoutContent: (record) => recordings.refuseWithoutVideo(record),
    contentCodes: ['RECORDING_NOT_FINISHED', 'RECORDING_FAILED'],
    remove: (owner, id) => recordings.remove(owner, id),
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/recordings',
    config: { examples: { response: { ...recordingExample, state: 'recording' } } },
    schema: {
      operationId: 'RecordingController_create',
      summary: 'Start recording',
      description:
        'Records whichever tab is in front, from now on. There is one recording at a time: where one runs, it is answered with 200. `recording` of the browser becomes true, so that it is recorded again after a resume or a recovery, until the recording is stopped.',
      tags,
      params: browserParams,
      response: answers(
        { 200: { ...recording, description: 'The one that runs already.' }, 201: recording },
        [
          'BROWSER_NOT_FOUND',
          'BROWSER_NOT_READY',
          'FEATURE_UNAVAILABLE',
          'QUOTA_EXCEEDED',
          'SERVICE_SHUTTING_DOWN',
        ],
      ),
    },
    handler: async ({ principal: { projectId }, params: { id } }, reply) => {
      const { recording: made, begun } = await recordings.start(projectId, id);
      return reply
        .code(begun ? 201 : 200)
        .header('location', `/v1/browsers/${id}/recordings/${made.id}`)
        .send(made);
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/recordings/:recordingId/stop',
    config: {
      answers: 'holder, or any',
      examples: { response: { ...recordingExample, state: 'finalizing' } },
    },
    schema: {
      operationId: 'RecordingController_stop',
      summary: 'Stop recording',
      description:
        'What was recorded is safe when it answers; the video follows (`finalizing`, then `ready`, which an event tells). `recording` of the browser becomes false: it is not recorded again after a resume or a recovery. One that is over already is answered as it is.',
      tags,
      params: browserParams.extend({ recordingId: recordingSchema.shape.id }),
      response: answers({ 200: recording }, [
        'BROWSER_NOT_FOUND',
        'RECORDING_NOT_FOUND',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal: { projectId }, params: { id, recordingId } }) => {
      await browsers.get(projectId, id);
      const stopped = await recordings.stop({ projectId, browserId: id }, recordingId);
      if (stopped) return stopped;
      throw new ApiError(
        'RECORDING_NOT_FOUND',
        `There is no recording ${recordingId} in this browser. List them: GET …/recordings.`,
      );
    },
  });
}

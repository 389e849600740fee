/** Ids in a path, by the name of the parameter. A text that cannot be an id is answered as an unknown id. */
import type { FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { type IdPrefix, isId } from '../../kit/id.ts';

const kinds: Record<string, { prefix: IdPrefix; code: ErrorCode; message: string }> = {
  id: {
    prefix: 'browser',
    code: 'BROWSER_NOT_FOUND',
    message: 'There is no browser with this id in the project of the key.',
  },
  fileId: {
    prefix: 'file',
    code: 'FILE_NOT_FOUND',
    message: 'There is no file with this id in the browser, or in the project of the key.',
  },
  dialogId: {
    prefix: 'dialog',
    code: 'DIALOG_NOT_FOUND',
    message: 'There is no dialog with this id in the browser.',
  },
  downloadId: {
    prefix: 'download',
    code: 'DOWNLOAD_NOT_FOUND',
    message: 'There is no download with this id in the browser.',
  },
  recordingId: {
    prefix: 'recording',
    code: 'RECORDING_NOT_FOUND',
    message: 'There is no recording with this id in the browser.',
  },
  requestId: {
    prefix: 'request',
    code: 'REQUEST_NOT_FOUND',
    message: 'There is no request with this id in the log of the browser.',
  },
  keyId: {
    prefix: 'key',
    code: 'KEY_NOT_FOUND',
    message: 'There is no key with this id in the project of the key.',
  },
  secretId: {
    prefix: 'secret',
    code: 'SECRET_NOT_FOUND',
    message: 'There is no secret with this id in the project of the key.',
  },
  webhookId: {
    prefix: 'webhook',
    code: 'WEBHOOK_NOT_FOUND',
    message: 'There is no webhook with this id in the project of the key.',
  },
  profileId: {
    prefix: 'profile',
    code: 'PROFILE_NOT_FOUND',
    message: 'There is no profile with this id in the project of the key.',
  },
  extensionId: {
    prefix: 'extension',
    code: 'EXTENSION_NOT_FOUND',
    message: 'There is no extension with this id in the project of the key.',
  },
  jobId: {
    prefix: 'job',
    code: 'JOB_NOT_FOUND',
    message: 'There is no job with this id in the project of the key.',
  },
  fontId: {
    prefix: 'font',
    code: 'FONT_NOT_FOUND',
    message: 'There is no font with this id in the project of the key.',
  },
  nodeId: {
    prefix: 'node',
    code: 'NODE_NOT_FOUND',
    message: 'There is no node with this id, or it is gone.',
  },
  deliveryId: {
    prefix: 'delivery',
    code: 'DELIVERY_NOT_FOUND',
    message: 'There is no delivery with this id of this webhook.',
  },
};

export async function requireIds(request: FastifyRequest): Promise<void> {
  for (const [name, value] of Object.entries(request.params as Record<string, string>)) {
    const kind = kinds[name];
    if (kind && !isId(kind.prefix, value)) throw new ApiError(kind.code, kind.message);
  }
}

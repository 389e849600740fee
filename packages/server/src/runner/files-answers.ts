/** Answers what a script asks about files, secrets and references, from what the owner of the runner provides. */
import { ApiError } from '../errors.ts';
import type { ControlEnd } from './control-end.ts';
import { type FilesAsked, limits } from './wire/wire.ts';

export interface FilesHandler {
  /** Makes a file of the service visible to the browser. */
  path(fileId: string): Promise<{ path: string; name: string }>;
  /** Makes a file record; what it answers is what the script gets. */
  write(file: { name: string; mimeType?: string; data: Buffer }): Promise<unknown>;
  /** The bytes of a finished download, by its CDP guid; fails when they are more. */
  download(guid: string, limitBytes: number): Promise<Buffer>;
  /** Types a secret into what has the focus; its value never comes here. */
  secret?(asked: { name: string; code: boolean; targetId: string }): Promise<unknown>;
  /** The node that has a reference, if one has. */
  ref?(asked: { ref: string; targetId: string }): Promise<unknown>;
}

type Asked = FilesAsked & { question: number };

export async function answer(
  control: ControlEnd,
  files: FilesHandler | undefined,
  asked: Asked,
  data: Buffer,
): Promise<void> {
  const { question } = asked;
  try {
    if (!files) throw new ApiError('FEATURE_UNAVAILABLE', 'Files cannot be used here.');
    const { value = null, bytes } = await ask(files, asked, data);
    control.send({ type: 'answer', question, value, bytes: bytes?.length ?? 0 }, bytes);
  } catch (error) {
    // Only errors made for callers: others may reveal the service's own files.
    const message = error instanceof ApiError ? error.message : 'The service could not do it.';
    control.send({ type: 'refusal', question, message });
  }
}

async function ask(
  files: FilesHandler,
  asked: Asked,
  data: Buffer,
): Promise<{ value?: unknown; bytes?: Buffer }> {
  if (asked.op === 'path') return { value: await files.path(asked.fileId) };
  if (asked.op === 'write') {
    const { name, mimeType } = asked;
    return { value: await files.write({ name, mimeType, data }) };
  }
  if (asked.op === 'secret') {
    if (!files.secret) throw new ApiError('FEATURE_UNAVAILABLE', 'Secrets cannot be used here.');
    const { name, code, targetId } = asked;
    return { value: await files.secret({ name, code, targetId }) };
  }
  if (asked.op === 'ref') return { value: await files.ref?.({ ref: asked.ref, targetId: asked.targetId }) };
  return { bytes: await files.download(asked.guid, limits.fileBytes) };
}

/** A file on its way up has a name: the one that the caller gives, or that of a `File`. */
import { invalidArgument } from '../errors.ts';
import type { CallOptions } from './call.ts';
import { type Uploadable, uploadOf } from './upload.ts';

export interface UploadOptions extends CallOptions {
  /** Required unless the content is a `File`, which has a name. */
  name?: string;
  mimeType?: string;
}

/** The answer to an upload comes after its last byte. */
const takesMs = 3_600_000;

/** A call that uploads a file with a name, which a `File` has itself. */
export function namedUpload(
  content: Uploadable,
  { name, mimeType }: Pick<UploadOptions, 'name' | 'mimeType'>,
) {
  const file = content as { name?: unknown; type?: unknown };
  const called = name ?? (typeof file.name === 'string' ? file.name : undefined);
  if (!called) throw invalidArgument('A file needs a name: files.upload(content, { name: "report.csv" }).');
  const type =
    mimeType ?? (typeof file.type === 'string' && file.type ? file.type : 'application/octet-stream');
  return { query: { name: called }, bytes: { ...uploadOf(content), mimeType: type }, takesMs };
}

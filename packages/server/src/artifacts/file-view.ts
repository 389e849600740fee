/** A file as a caller sees it. */
import { iso } from '../kit/clock.ts';
import type { ArtifactRecord } from '../store/records.ts';
import type { File } from './schema.ts';

export const fileView = (record: ArtifactRecord): File => ({
  id: record.id,
  name: record.name,
  size: record.size,
  mimeType: record.mimeType,
  sha256: record.sha256,
  source: record.source as File['source'],
  createdAt: iso(record.createdAt),
});

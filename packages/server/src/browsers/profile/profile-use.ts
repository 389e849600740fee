/** How a create names a profile, and how its record keeps it. */
import type { ProfileRecord } from '../../profiles/profiles.ts';
import type { ProfileRef } from '../../store/records.ts';
import type { Browser, CreateBrowser } from '../record/schema.ts';

export const refOf = ({ id, name = '' }: { id?: string; name?: string }): ProfileRef =>
  id === undefined ? { name } : { id };

export const useOf = (
  { id, name, version }: ProfileRecord,
  asked: CreateBrowser['profile'],
): NonNullable<Browser['profile']> => ({
  id,
  ...(name !== null && { name }),
  save: asked?.save ?? false,
  version,
});

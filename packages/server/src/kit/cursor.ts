/** A place in a list ordered by creation time and id, newest first. Neither ever changes, so the place stays. */
import { ApiError } from '../errors.ts';

export interface Place {
  createdAt: number;
  id: string;
}

export function encodeCursor(place: Place): string {
  return Buffer.from(JSON.stringify([place.createdAt, place.id])).toString('base64url');
}

export function decodeCursor(cursor: string): Place {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(value) && value.length === 2) {
      const [createdAt, id] = value;
      if (Number.isSafeInteger(createdAt) && typeof id === 'string' && /^\w{1,64}$/.test(id))
        return { createdAt, id };
    }
  } catch {
    // falls through: whatever was wrong, the caller can do the same about it
  }
  throw invalidCursor();
}

export const invalidCursor = (): ApiError =>
  new ApiError(
    'INVALID_CURSOR',
    'The cursor is not one that this list returned. Start again without `cursor`.',
  );

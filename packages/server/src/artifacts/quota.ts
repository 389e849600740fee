/** How much a project may store, counted while bytes come in, so that parallel uploads cannot pass it together. */
import { ApiError } from '../errors.ts';

export interface Allowance {
  /** Fewer than none when some that came are gone again. */
  take(bytes: number): void;
  end(): void;
}

/**
 * What a project may hold, checked while bytes come in: the store decides when a record is made, but by then the bytes
 * would be on the disk already. What is on its way counts for all uploads of the project together.
 */
export class Quota {
  readonly bytes: number | null;
  readonly #incoming = new Map<string, number>();

  constructor(bytes: number | null) {
    this.bytes = bytes;
  }

  /** `used` is what the project holds as this one begins, `expected` what is known to come. */
  begin(projectId: string, used: number, expected: number): Allowance {
    const others = this.#incoming.get(projectId) ?? 0;
    const check = (bytes: number): void => {
      if (this.bytes !== null && bytes > this.bytes) throw this.exceeded(used);
    };
    check(used + others + expected);
    let mine = 0;
    const end = (): void => {
      this.#move(projectId, -mine);
      mine = 0;
    };
    return {
      take: (bytes) => {
        mine += bytes;
        try {
          check(used + this.#move(projectId, bytes));
        } catch (error) {
          // at once, or other uploads of the project could not use its room until its bytes are removed
          end();
          throw error;
        }
      },
      end,
    };
  }

  #move(projectId: string, bytes: number): number {
    const all = (this.#incoming.get(projectId) ?? 0) + bytes;
    if (all > 0) this.#incoming.set(projectId, all);
    else this.#incoming.delete(projectId);
    return all;
  }

  exceeded(used: number): ApiError {
    return new ApiError(
      'QUOTA_EXCEEDED',
      `The project would hold more than its ${this.bytes} bytes of files and jobs. Delete some, also of closed browsers, or ask the operator for more.`,
      { details: { quotaBytes: this.bytes, usedBytes: used } },
    );
  }
}

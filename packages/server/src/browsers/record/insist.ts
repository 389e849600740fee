/** A database that is away for a moment must not leave a record that is wrong. */
const storeTries = 5;

/** Tries a write a few times before it gives up. */
export async function insist<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries >= storeTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** tries));
    }
  }
}

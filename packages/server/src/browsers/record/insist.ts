/** A database that is away for a moment must not leave a record that tells an untruth. */
const storeTries = 5;

/** What a record must say is written even if it takes a few tries. */
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

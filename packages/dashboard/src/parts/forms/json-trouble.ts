/** Why a text is not JSON; undefined if it is. */
export function jsonTrouble(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `Not JSON yet: ${(error as Error).message}`;
  }
}

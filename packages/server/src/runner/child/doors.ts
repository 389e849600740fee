/**
 * The box is the wall; this only keeps honest mistakes and idle curiosity from the runner's own realm: any of its
 * objects leads by `.constructor.constructor` to a Function that would compile code there.
 */
export function closeObviousDoors(): void {
  const kinds = [() => undefined, async () => undefined, function* () {}, async function* () {}];
  for (const kind of kinds) {
    const prototype = Object.getPrototypeOf(kind);
    const { name } = prototype.constructor;
    const closed = () => {
      throw new EvalError('Code cannot be made from text here; use eval or Function of the script itself.');
    };
    Object.defineProperty(prototype, 'constructor', {
      value: Object.defineProperty(closed, 'name', { value: name }),
    });
  }
}

/**
 * The box is the security boundary; this only keeps scripts from reaching the runner's own realm by mistake or
 * curiosity: any of its objects leads by `.constructor.constructor` to a Function that would compile code there.
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

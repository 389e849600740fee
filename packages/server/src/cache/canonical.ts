/** JSON with the fields of its objects in one order, so that requests that mean the same are the same text. */
export function* canonical(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (const each of value) {
      yield* canonical(each ?? null);
      yield ',';
    }
    yield ']';
  } else if (typeof value === 'object' && value !== null) {
    yield '{';
    for (const name of Object.keys(value).sort()) {
      const field = (value as Record<string, unknown>)[name];
      if (field === undefined) continue;
      yield `${JSON.stringify(name)}:`;
      yield* canonical(field);
      yield ',';
    }
    yield '}';
  } else yield JSON.stringify(value) ?? 'null';
}

import fc from 'fast-check';

/** Any code point, half surrogates among them; fast-check's own `binary` unit takes seconds to make its table. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .map((codePoint) => String.fromCodePoint(codePoint));
export const anyText = fc.string({ unit: anyCharacter });

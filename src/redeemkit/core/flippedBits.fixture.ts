import { inject } from 'vitest'

/** Masks that change the byte at an index: `npm test` flips one bit, `test:long` flips more. */
export const flippedBits = (at: number): readonly number[] =>
  inject('generatedInputs') > 500 ? [0x01, 0x02, 0x80, 0xff] : [1 << (at % 8)]

import { inject } from 'vitest'

/** Returns masks that change the byte at an index: one bit in `npm test`, a different one for each byte; more in `npm run test:long`. */
export const flippedBits = (at: number): readonly number[] =>
  inject('generatedInputs') > 500 ? [0x01, 0x02, 0x80, 0xff] : [1 << (at % 8)]

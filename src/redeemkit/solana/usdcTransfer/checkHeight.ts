import { invalidOption } from '../checkOptions.ts'

/**
 * Takes the last block that may hold a transaction. Compared with anything but a number, no block would ever
 * be after it.
 *
 * @throws {@link InvalidOptionError}
 */
export function checkHeight(lastValidBlockHeight: number): void {
  if (!Number.isSafeInteger(lastValidBlockHeight) || lastValidBlockHeight < 0)
    throw invalidOption(
      'lastValidBlockHeight',
      lastValidBlockHeight,
      'Give the one of the transfer, or what getLatestBlockhash answered.',
    )
}

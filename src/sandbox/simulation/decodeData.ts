import type { Hex } from 'viem'
import type { DecodedRevert } from '../../redeemkit/evm/revert/decodeRevert.ts'
import { checkHex, type InvalidHexError } from '../../redeemkit/evm/values.ts'
import { describeRevert } from './abi/describeRevert.ts'
import { type DecodedCall, decodeCall } from './decodeCall.ts'

/** What bytes can be, of which it is not known whether they are call data or revert data. */
export type DecodedData = {
  call: DecodedCall | undefined
  /** `undefined` when nobody knows the error. */
  revert: DecodedRevert | undefined
  /** In words, on one line each. Never empty. */
  words: readonly string[]
}

/**
 * Says what bytes are: call data by the functions, revert data by the errors of the given ABIs and of the known ones. Of bytes
 * that can be both, both are told.
 *
 * @throws {@link InvalidHexError} for text that is no bytes
 * @example
 * ```ts
 * import { decodeData } from './decodeData.ts'
 * decodeData('0xd93c0665').words // ['Reverts with: EnforcedPause.']
 * ```
 */
export function decodeData(data: Hex, options: decodeCall.Options = {}): DecodedData {
  checkHex(data, 'data')
  const call = decodeCall(data, options)
  const reverted = describeRevert(data, options.abis)
  const revert = reverted.name === undefined ? undefined : reverted
  const words = [...(call?.words ?? []), ...(revert === undefined ? [] : [`Reverts with: ${revert.reason}.`])]
  if (words.length === 0) words.push(unknownWords(data))
  return { call, revert, words }
}

export declare namespace decodeData {
  type ErrorType = InvalidHexError
}

function unknownWords(data: Hex): string {
  if (data === '0x') return 'There are no bytes: a call without data, or a revert without a reason.'
  const bytes = (data.length - 2) / 2
  if (bytes < 4) return `There are ${bytes} bytes, and a function or an error has a selector of 4.`
  return `No ABI at hand has a function or an error of selector ${data.slice(0, 10)}. Give the build folder of the contract: --abi.`
}

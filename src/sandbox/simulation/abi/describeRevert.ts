import type { Abi, Hex } from 'viem'
import { type DecodedRevert, decodeRevert } from '../../../redeemkit/evm/revert/decodeRevert.ts'
import { type AbiError, abiIndex } from './abiIndex.ts'

/**
 * Says why a call reverted, from the bytes that it left. The errors of the ABIs that are given go before the known ones, and of
 * two with one selector the one is taken whose values the bytes are.
 */
export function describeRevert(data: Hex, abis: readonly Abi[] = []): DecodedRevert {
  const { errors } = abiIndex(abis)
  // Only what can be meant: an output folder holds thousands of errors, and each costs a hash.
  const meant: AbiError[] = []
  for (let bytes: Hex | undefined = data; bytes !== undefined; ) {
    // the first four bytes are a selector
    const found = errors.get(bytes.slice(0, 10).toLowerCase() as Hex) ?? []
    meant.push(...found)
    const decoded: DecodedRevert = decodeRevert({ data: bytes, abi: meant })
    bytes = bytes === data ? decoded.inner?.data : undefined
  }
  return decodeRevert({ data, abi: meant })
}

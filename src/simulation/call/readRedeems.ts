import { decodeAbiParameters, decodeFunctionData, getAbiItem, type Hex, toFunctionSelector } from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import type { RedeemRequest } from './redeemRequest.ts'

/**
 * The redeems in call data of a credits contract: one of `redeem`, several of `redeemBatch`.
 *
 * @returns `undefined` in the place of a batch's item that cannot be read; an empty list for call data of another function
 */
export function readRedeems(data: Hex): (RedeemRequest | undefined)[] {
  let call: ReturnType<typeof decodeFunctionData<typeof creditsAbi>>
  try {
    call = decodeFunctionData({ abi: creditsAbi, data })
  } catch {
    // Another function, or bytes that are none of its arguments.
    return []
  }
  if (call.functionName === 'redeem') return [call.args[0]]
  return call.functionName === 'redeemBatch' ? call.args[0].map(readItem) : []
}

/** An item is `abi.encode(request)` (PROTOCOL.md 6.5). */
function readItem(item: Hex): RedeemRequest | undefined {
  try {
    return decodeAbiParameters(requestParameters, item)[0]
  } catch {
    return undefined
  }
}

const redeemItem = getAbiItem({ abi: creditsAbi, name: 'redeem' })
const requestParameters = redeemItem.inputs

/** Of `Credits.redeem`. */
export const redeemSelector: Hex = toFunctionSelector(redeemItem)

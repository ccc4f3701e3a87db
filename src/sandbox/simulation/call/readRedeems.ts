import {
  type ContractFunctionArgs,
  decodeAbiParameters,
  decodeFunctionData,
  getAbiItem,
  type Hex,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import {
  noBridge,
  type Settlement,
  settlementKinds,
} from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { type RedeemRequest, redeemRequest } from './redeemRequest.ts'

/**
 * Returns the redeems in call data of a credits contract: one of `redeem` or `redeemToken`, several of `redeemBatch`.
 *
 * @returns `undefined` for a batch's item that cannot be read; an empty list for call data of another function
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
  if (call.functionName === 'redeemToken') return [tokenRequest(call.args)]
  return call.functionName === 'redeemBatch' ? call.args[0].map(readItem) : []
}

/** The same redeem as `redeem` takes it. */
function tokenRequest([permit, amount, gasFee, salt, destination]: TokenArguments): RedeemRequest {
  const settlement: Settlement = {
    kind: settlementKinds.token,
    target: destination,
    data: '0x',
    nftContract: zeroAddress,
    nftId: 0n,
    bridge: noBridge,
  }
  const { signature } = permit
  return redeemRequest({ permit, signature, salt, intent: { settlement, amount, usdcAmount: 0n }, gasFee })
}

type TokenArguments = ContractFunctionArgs<typeof creditsAbi, 'nonpayable', 'redeemToken'>

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

/** Of `Credits.redeem` and `Credits.redeemToken`. */
export const redeemSelectors: readonly Hex[] = [
  redeemItem,
  getAbiItem({ abi: creditsAbi, name: 'redeemToken' }),
].map(toFunctionSelector)

import { encodeFunctionData, type Hex, prepareEncodeFunctionData } from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import type { RedeemRequest } from './redeemRequest.ts'

/** A transaction without its gas and price. */
export type ContractCall = { to: Hex; data: Hex }

/** `Credits.redeem`. */
export function redeemCall(chain: { creditsContract: Hex }, request: RedeemRequest): ContractCall {
  return {
    to: chain.creditsContract,
    data: encodeFunctionData({ ...redeemFunction, args: [request] }),
  }
}

/** Its selector is the same for every call. */
const redeemFunction = prepareEncodeFunctionData({ abi: creditsAbi, functionName: 'redeem' })

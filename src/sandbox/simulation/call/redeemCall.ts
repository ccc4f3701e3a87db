import { encodeFunctionData, type Hex, prepareEncodeFunctionData } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { isBoundNonce } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { settlementKinds } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { type RedeemRequest, usdcMethods } from './redeemRequest.ts'

/** A transaction without its gas and price. */
export type ContractCall = { to: Hex; data: Hex }

/** Returns the call that executes a redeem: `redeemToken` where it can, which costs less gas, else `redeem`. */
export function redeemCall(chain: { creditsContract: Hex }, request: RedeemRequest): ContractCall {
  return { to: chain.creditsContract, data: dataOf(request) }
}

function dataOf(request: RedeemRequest): Hex {
  const { permit, intent, settlement, usdcAuthorization, gasFee } = request
  const isToken =
    settlement.kind === settlementKinds.token &&
    usdcAuthorization.method === usdcMethods.none &&
    isBoundNonce(permit.nonce) &&
    // Services with random nonces use salt zero, and their contracts have no such function.
    BigInt(intent.salt) !== 0n
  if (!isToken) return encodeFunctionData({ ...redeemFunction, args: [request] })
  const args = [permit, intent.amount, gasFee, intent.salt, settlement.target] as const
  return encodeFunctionData({ ...redeemTokenFunction, args })
}

// Their selectors are the same for every call.
const redeemFunction = prepareEncodeFunctionData({ abi: creditsAbi, functionName: 'redeem' })
const redeemTokenFunction = prepareEncodeFunctionData({ abi: creditsAbi, functionName: 'redeemToken' })

import {
  type ContractFunctionArgs,
  decodeAbiParameters,
  decodeFunctionData,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  keccak256,
  prepareEncodeFunctionData,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { hexToBytes } from '../../redeemkit/evm/bytes/hexToBytes.ts'
import type { CreditPermit } from '../../redeemkit/evm/creditPermit/creditPermit.ts'
import { isBoundNonce } from '../../redeemkit/evm/creditPermit/isBoundNonce.ts'
import { toOrderKey } from '../../redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntentNonce } from '../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { hashSettlement } from '../../redeemkit/evm/creditPermit/settlementHash.ts'
import { settlementKinds } from '../../redeemkit/evm/transactionData/settlementKinds.ts'
import { noBridge, type Settlement } from '../../redeemkit/evm/transactionData/settlementOf.ts'

/** `ICredits.RedeemRequest`. */
export type RedeemRequest = ContractFunctionArgs<typeof creditsAbi, 'nonpayable', 'redeem'>[0]

/** `ICredits.UsdcAuthorization`. */
export type UsdcAuthorizationArgument = RedeemRequest['usdcAuthorization']

/** `ICredits.UsdcMethod`. */
export const usdcMethods = { none: 0, transferV1: 1, transferV2: 2, receiveV1: 3, receiveV2: 4 } as const

/** Puts a redeem together as the credits contract takes it. */
export function redeemRequest(options: redeemRequest.Options): RedeemRequest {
  const { permit, signature, salt, intent, usdcAuthorization = noAuthorization, gasFee } = options
  return {
    permit: { ...permit, signature },
    intent: { amount: intent.amount, usdcAmount: intent.usdcAmount, salt },
    settlement: intent.settlement,
    usdcAuthorization,
    gasFee,
  }
}

export declare namespace redeemRequest {
  type Options = {
    permit: CreditPermit
    signature: `0x${string}`
    salt: `0x${string}`
    intent: { settlement: Settlement; amount: bigint; usdcAmount: bigint }
    usdcAuthorization?: UsdcAuthorizationArgument | undefined
    gasFee: bigint
  }
}

/** Of a redeem that takes nothing of the customer's USDC. */
export const noAuthorization: UsdcAuthorizationArgument = {
  method: usdcMethods.none,
  signature: '0x',
}

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

/** The same redeem as a wallet takes it that agrees to everything, with a permit that stays good. */
export function assumedRequest(request: RedeemRequest): RedeemRequest {
  const { permit, intent } = request
  return {
    ...request,
    permit: { ...permit, validBefore: farAway, signature: '0x' },
    usdcAuthorization:
      intent.usdcAmount === 0n ? noAuthorization : { method: usdcMethods.receiveV2, signature: '0x' },
  }
}

/** The same for another order: with another order key and salt. */
export function nextRequest(request: RedeemRequest, bridgeAdapter: Hex | undefined): RedeemRequest {
  const { permit, intent, settlement } = request
  const isBound = isBoundNonce(permit.nonce)
  const salt = isBound ? keccak256(intent.salt) : intent.salt
  const nonce: Hex = isBound
    ? redeemIntentNonce({
        orderKey: toOrderKey(hexToBytes(keccak256(permit.nonce))),
        customerWallet: permit.customerWallet,
        settlementHash: hashSettlement(settlement, { bridgeAdapter }),
        amount: intent.amount,
        usdcAmount: intent.usdcAmount,
        salt,
      })
    : unbound(keccak256(permit.nonce))
  return { ...request, permit: { ...permit, nonce }, intent: { ...intent, salt } }
}

/** Bit 255 tells a bound nonce. */
const unbound = (hash: Hex): Hex =>
  `0x${(Number.parseInt(hash.slice(2, 4), 16) & 0x7f).toString(16).padStart(2, '0')}${hash.slice(4)}`

/** Unix seconds. */
const farAway = 2n ** 47n

/**
 * Code that stands in a wallet's place while a redeem is tried that nobody has signed: it answers every call with its selector,
 * which is what ERC-1271 and the receivers of ERC-721 and ERC-1155 say when they agree.
 */
export const agreeableCode: Hex = '0x60003560e01c60e01b60005260206000f3'

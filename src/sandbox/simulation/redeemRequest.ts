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
import { attempt } from '../../redeemkit/core/attempt.ts'
import type { CreditPermit } from '../../redeemkit/evm/creditPermit/creditPermit.ts'
import { isIntentBoundNonce, toOrderKey } from '../../redeemkit/evm/creditPermit/orderKey.ts'
import { hashSettlement, redeemIntentNonce } from '../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import {
  noBridge,
  type Settlement,
  settlementKinds,
} from '../../redeemkit/evm/transactionData/settlementOf.ts'
import { hexToBytes } from '../../redeemkit/evm/viem.ts'

export type RedeemRequest = ContractFunctionArgs<typeof creditsAbi, 'nonpayable', 'redeem'>[0]

export type UsdcAuthorizationArgument = RedeemRequest['usdcAuthorization']

/** The numbers of `ICredits.UsdcMethod`. */
export const usdcMethods = { none: 0, transferV1: 1, transferV2: 2, receiveV1: 3, receiveV2: 4 } as const

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

const noAuthorization: UsdcAuthorizationArgument = {
  method: usdcMethods.none,
  signature: '0x',
}

export type ContractCall = { to: Hex; data: Hex }

/** Prefers `redeemToken`, which costs less gas than `redeem`. */
export function redeemCall(chain: { creditsContract: Hex }, request: RedeemRequest): ContractCall {
  const to = chain.creditsContract
  const { permit, intent, settlement, usdcAuthorization, gasFee } = request
  const isToken =
    settlement.kind === settlementKinds.token &&
    usdcAuthorization.method === usdcMethods.none &&
    isIntentBoundNonce(permit.nonce) &&
    // Services with random nonces use a salt of zero, and their contracts lack `redeemToken`.
    BigInt(intent.salt) !== 0n
  if (!isToken) return { to, data: encodeFunctionData({ ...redeemFunction, args: [request] }) }
  const args = [permit, intent.amount, gasFee, intent.salt, settlement.target] as const
  return { to, data: encodeFunctionData({ ...redeemTokenFunction, args }) }
}

// The ABI items are prepared once, because the selectors never change.
const redeemFunction = prepareEncodeFunctionData({ abi: creditsAbi, functionName: 'redeem' })
const redeemTokenFunction = prepareEncodeFunctionData({ abi: creditsAbi, functionName: 'redeemToken' })

/** `redeem` and `redeemToken` contain one redeem, other functions none. A batch item that does not decode is `undefined`. */
export function readRedeems(data: Hex): (RedeemRequest | undefined)[] {
  const call = attempt(() => decodeFunctionData({ abi: creditsAbi, data }))
  if (call?.functionName === 'redeem') return [call.args[0]]
  if (call?.functionName === 'redeemToken') return [tokenRequest(call.args)]
  return call?.functionName === 'redeemBatch' ? call.args[0].map(readItem) : []
}

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

/** A batch item is `abi.encode(request)` (PROTOCOL.md 6.5). */
function readItem(item: Hex): RedeemRequest | undefined {
  return attempt(() => decodeAbiParameters(requestParameters, item)[0])
}

const redeemItem = getAbiItem({ abi: creditsAbi, name: 'redeem' })
const requestParameters = redeemItem.inputs

export const redeemSelectors: readonly Hex[] = [
  redeemItem,
  getAbiItem({ abi: creditsAbi, name: 'redeemToken' }),
].map(toFunctionSelector)

/** Returns the same redeem unsigned, with a permit that does not expire, for a wallet that runs `agreeableCode`. */
export function assumedRequest(request: RedeemRequest): RedeemRequest {
  const { permit, intent } = request
  return {
    ...request,
    permit: { ...permit, validBefore: farAway, signature: '0x' },
    usdcAuthorization:
      intent.usdcAmount === 0n ? noAuthorization : { method: usdcMethods.receiveV2, signature: '0x' },
  }
}

export function nextRequest(request: RedeemRequest, bridgeAdapter: Hex | undefined): RedeemRequest {
  const { permit, intent, settlement } = request
  const isIntentBound = isIntentBoundNonce(permit.nonce)
  const salt = isIntentBound ? keccak256(intent.salt) : intent.salt
  const nonce: Hex = isIntentBound
    ? redeemIntentNonce({
        orderKey: toOrderKey(hexToBytes(keccak256(permit.nonce))),
        customerWallet: permit.customerWallet,
        settlementHash: hashSettlement(settlement, { bridgeAdapter }),
        amount: intent.amount,
        usdcAmount: intent.usdcAmount,
        salt,
      })
    : randomNonce(keccak256(permit.nonce))
  return { ...request, permit: { ...permit, nonce }, intent: { ...intent, salt } }
}

/** Returns a new order for another customer, paid entirely in USDC. The wallet must run `agreeableCode`. */
export function requestOf(request: RedeemRequest, wallet: Hex): RedeemRequest {
  const { permit, intent, settlement } = request
  const named = permit.customerWallet.slice(2).toLowerCase()
  const data = settlement.data.toLowerCase().replaceAll(named, wallet.slice(2).toLowerCase()) as Hex
  const paid = {
    ...request,
    permit: { ...permit, customerWallet: wallet, amount: 0n },
    intent: { ...intent, usdcAmount: intent.amount },
    settlement: { ...settlement, data },
    gasFee: 0n,
  }
  return assumedRequest(nextRequest(paid, undefined))
}

/** Converts a hash to a random nonce by clearing bit 255, which marks an intent-bound nonce. */
const randomNonce = (hash: Hex): Hex =>
  `0x${(Number.parseInt(hash.slice(2, 4), 16) & 0x7f).toString(16).padStart(2, '0')}${hash.slice(4)}`

/** In Unix seconds. */
const farAway = 2n ** 47n

/** Returns the call's selector: the success value of ERC-1271 and of receiver hooks. At a wallet's address, it accepts everything. */
export const agreeableCode: Hex = '0x60003560e01c60e01b60005260206000f3'

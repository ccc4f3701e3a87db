import { type Abi, decodeFunctionData, type Hex, size } from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { attempt } from '../../redeemkit/core/attempt.ts'
import { showText } from '../../redeemkit/core/errors/showValue.ts'
import { isIntentBoundNonce, orderKeyOf } from '../../redeemkit/evm/creditPermit/orderKey.ts'
import { hashSettlement, redeemIntentNonce } from '../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { dollars, until } from '../../redeemkit/evm/findingTexts.ts'
import type { DecodedRevert } from '../../redeemkit/evm/revert/decodeRevert.ts'
import {
  type SettlementKind,
  settlementKindOf,
  settlementKinds,
  settlementShapes,
} from '../../redeemkit/evm/transactionData/settlementOf.ts'
import { checkHex } from '../../redeemkit/evm/values.ts'
import { type DescribedCall, describeCall, describeRevert } from './abi/describe.ts'
import { type RedeemRequest, readRedeems, usdcMethods } from './redeemRequest.ts'

export type DecodedCall = {
  name: string
  signature: string
  /** Plain English, one sentence per line. */
  texts: readonly string[]
  /** The redeem of `redeem`, or each item of `redeemBatch` (`undefined` if it does not decode). Empty for other calls. */
  redeems: readonly (DecodedRedeem | undefined)[]
}

type DecodedRedeem = {
  /** `undefined` for an unknown settlement number. */
  shape: SettlementKind | undefined
  customerWallet: Hex
  creditSeed: string
  amount: bigint
  usdcAmount: bigint
  gasFee: bigint
  /** Credits to charge: `amount - usdcAmount + gasFee`. */
  charged: bigint
  /** Maximum that the permit allows to charge. */
  mostCharged: bigint
  /** End of the permit, in unix seconds, exclusive. */
  validBefore: bigint
  nonce: Hex
  /** What the nonce commits to (PROTOCOL.md 4). `unknown`: a `decent` redeem also commits to the bridge adapter. */
  nonceIs: 'of this redeem' | 'of another redeem' | 'random' | 'unknown'
  target: Hex
  data: Hex
  call: DescribedCall | undefined
  nftContract: Hex
  nftId: bigint
  bridge: RedeemRequest['settlement']['bridge']
  usdcMethod: keyof typeof usdcMethods | undefined
  /** In bytes. */
  signatureSize: number
  texts: readonly string[]
}

/** Decodes call data in plain English. Returns `undefined` if neither `options.abis` nor the known ABIs have the function. */
export function decodeCall(data: Hex, options: decodeCall.Options = {}): DecodedCall | undefined {
  const { abis = [], now = Date.now } = options
  const call = describeCall(data, abis)
  const redeems = readRedeems(data).map((request) => request && decodeRedeem(request, { abis, now }))
  if (redeems.length > 0) {
    const [name, signature] =
      redeems.length === 1 && call?.name !== 'redeemBatch'
        ? ['redeem', 'redeem(RedeemRequest)']
        : ['redeemBatch', 'redeemBatch(bytes[],uint256[])']
    return { name, signature, texts: textsOfAll(redeems, name), redeems }
  }
  if (call === undefined) return undefined
  const texts = [ownText(data) ?? `Calls ${call.text}.`]
  return { name: call.name, signature: call.signature, texts, redeems: [] }
}

export declare namespace decodeCall {
  type Options = {
    abis?: readonly Abi[] | undefined
    now?: (() => number) | undefined
  }
}

function textsOfAll(redeems: readonly (DecodedRedeem | undefined)[], name: string): string[] {
  if (name === 'redeem') return redeems.flatMap((redeem) => redeem?.texts ?? [])
  return [
    `Batch of ${redeems.length} redeems.`,
    ...redeems.flatMap((redeem, place) =>
      (redeem?.texts ?? ['This redeem cannot be decoded. It fails, and the others are not affected.']).map(
        (texts) => `${place + 1}. ${texts}`,
      ),
    ),
  ]
}

function decodeRedeem(
  request: RedeemRequest,
  { abis, now }: { abis: readonly Abi[]; now: () => number },
): DecodedRedeem {
  const { permit, intent, settlement, usdcAuthorization, gasFee } = request
  const { customerWallet, creditSeed, validBefore, nonce } = permit
  const { amount, usdcAmount } = intent
  const { kind, target, data, nftContract, nftId, bridge } = settlement
  const redeem = {
    shape: settlementKindOf(kind),
    ...{ customerWallet, creditSeed, amount, usdcAmount, gasFee, validBefore, nonce },
    charged: amount - usdcAmount + gasFee,
    mostCharged: permit.amount,
    nonceIs: nonceIs(request),
    ...{ target, data, nftContract, nftId, bridge },
    call: describeCall(data, abis),
    usdcMethod: (Object.keys(usdcMethods) as (keyof typeof usdcMethods)[]).find(
      (name) => usdcMethods[name] === usdcAuthorization.method,
    ),
    signatureSize: size(permit.signature),
  }
  return { ...redeem, texts: textOf(redeem, BigInt(Math.floor(now() / 1_000))) }
}

function nonceIs({ permit, intent, settlement }: RedeemRequest): DecodedRedeem['nonceIs'] {
  if (!isIntentBoundNonce(permit.nonce)) return 'random'
  // These values are invalid, so no nonce commits to them.
  if (intent.usdcAmount > intent.amount || BigInt(permit.customerWallet) === 0n) return 'of another redeem'
  if (settlement.kind === settlementKinds.decent) return 'unknown'
  const expected = redeemIntentNonce({
    orderKey: orderKeyOf(permit.nonce),
    customerWallet: permit.customerWallet,
    settlementHash: hashSettlement(settlement),
    ...intent,
  })
  return expected === permit.nonce.toLowerCase() ? 'of this redeem' : 'of another redeem'
}

function textOf(redeem: Omit<DecodedRedeem, 'texts'>, now: bigint): string[] {
  const { shape, amount, usdcAmount, gasFee, charged, mostCharged, customerWallet, creditSeed } = redeem
  const { validBefore, nonce, signatureSize, usdcMethod } = redeem
  const fee = gasFee === 0n ? '' : `, ${dollars(gasFee)} of it for gas`
  const usdc =
    usdcAmount === 0n
      ? ''
      : ` ${dollars(usdcAmount)} comes from the customer's USDC (${methodTexts[usdcMethod ?? 'none']}).`
  return [
    `Redeems ${dollars(amount)} for ${customerWallet}, ${seedText(creditSeed)}, type ${shape ?? 'unknown'}.`,
    actionText(redeem),
    `Charges ${dollars(charged)} to credits${fee}; the permit allows ${dollars(mostCharged)}${charged > mostCharged ? ': too low' : ''}.${usdc}`,
    `The permit is valid ${until(validBefore, now)}; its signature has ${signatureSize} bytes. Its nonce ${nonce} ${nonceText[redeem.nonceIs]}.`,
  ]
}

const nonceText: Readonly<Record<DecodedRedeem['nonceIs'], string>> = {
  'of this redeem': 'commits to exactly this redeem',
  'of another redeem':
    'commits to a different redeem: the credits contract rejects this one (IntentMismatch)',
  random: 'is random: the relayer decides what is executed',
  unknown: 'also commits to the bridge adapter, which is unknown',
}

const methodTexts: Readonly<Record<keyof typeof usdcMethods, string>> = {
  none: 'no authorization: the credits contract rejects it',
  transferV1: 'TransferWithAuthorization, v r s',
  transferV2: 'TransferWithAuthorization, bytes',
  receiveV1: 'ReceiveWithAuthorization, v r s',
  receiveV2: 'ReceiveWithAuthorization, bytes',
}

function actionText(redeem: Omit<DecodedRedeem, 'texts'>): string {
  const { shape, target, data, call, nftContract, nftId, bridge } = redeem
  const { does, nft } = settlementShapes[shape ?? 'normal']
  if (does === 'transfer') return `Pays ${target} in USDC.`
  const what = call?.text ?? (data === '0x' ? 'without data' : `${data.slice(0, 10)} (${size(data)} bytes)`)
  if (does === 'bridge') {
    const cost = `${bridge.cost} raw units of ${bridge.isNative ? 'the coin' : bridge.dstToken}`
    return `Calls ${target} on chain ${bridge.dstChainId} with ${cost}: ${what}.`
  }
  const token =
    nft === 'token'
      ? ` The customer gets token ${nftId} of ${nftContract}.`
      : nft === 'contract'
        ? ` The customer gets the token that ${nftContract} delivers.`
        : ''
  return `Calls ${target}: ${what}.${token}`
}

/** Describes the calls of the credits contract that are not redeems. */
function ownText(data: Hex): string | undefined {
  const call = attempt(() => decodeFunctionData({ abi: creditsAbi, data }))
  switch (call?.functionName) {
    case 'cancelCreditsAuthorization': {
      const [wallet, nonce, signature] = call.args
      return `Cancels the permit of ${wallet} with nonce ${nonce}; the signature has ${size(signature)} bytes.`
    }
    case 'mint': {
      const [seed, wallet, amount] = call.args
      return `Mints ${dollars(amount)} of credits for ${wallet}, ${seedText(seed)}, paid with the sender's USDC.`
    }
    case 'burn': {
      const [seed, wallet, amount] = call.args
      return `Burns ${dollars(amount)} of credits of ${wallet}, ${seedText(seed)}, and pays out the USDC that backs them.`
    }
    case 'setWhitelist': {
      const [seed, chainId, target, selector, isAny, isAllowed, minimumGas] = call.args
      const what = `${isAny ? 'any function' : selector} of ${target} on chain ${chainId} for ${seedText(seed)}`
      return isAllowed ? `Allows ${what}, with at least ${minimumGas} gas.` : `Removes the entry for ${what}.`
    }
    case 'setRandomNoncePermits': {
      const [seed, isAllowed] = call.args
      return `${isAllowed ? 'Allows' : 'Forbids'} operators to use permits with random nonces for ${seedText(seed)}.`
    }
    case 'withdrawFees':
      return 'Pays the gas fees to the fee recipient.'
    default:
      return undefined
  }
}

const seedText = (seed: string) => `credit seed ${showText(seed, 60)}`

export type DecodedData = {
  call: DecodedCall | undefined
  revert: DecodedRevert | undefined
  /** Plain English, one sentence per line. Never empty. */
  texts: readonly string[]
}

export function decodeData(data: Hex, options: decodeCall.Options = {}): DecodedData {
  checkHex(data, 'data')
  const call = decodeCall(data, options)
  const reverted = describeRevert(data, options.abis)
  const revert = reverted.name === undefined ? undefined : reverted
  const texts = [...(call?.texts ?? []), ...(revert === undefined ? [] : [`Reverts with: ${revert.reason}.`])]
  if (texts.length === 0) texts.push(unknownText(data))
  return { call, revert, texts }
}

function unknownText(data: Hex): string {
  if (data === '0x') return 'No bytes: a call without data, or a revert without a reason.'
  const bytes = (data.length - 2) / 2
  if (bytes < 4) return `Only ${bytes} bytes: a function or error selector has 4.`
  return `No known ABI has a function or error with selector ${data.slice(0, 10)}. Pass the build folder of the contract: --abi out.`
}

import { type Abi, decodeFunctionData, type Hex, size } from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { showText } from '../../redeemkit/core/errors/showText.ts'
import { isBoundNonce } from '../../redeemkit/evm/creditPermit/isBoundNonce.ts'
import { orderKeyOf } from '../../redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntentNonce } from '../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { hashSettlement } from '../../redeemkit/evm/creditPermit/settlementHash.ts'
import { dollars, until } from '../../redeemkit/evm/finding/words.ts'
import type { DecodedRevert } from '../../redeemkit/evm/revert/decodeRevert.ts'
import {
  type SettlementKind,
  settlementKindOf,
  settlementKinds,
  settlementShapes,
} from '../../redeemkit/evm/transactionData/settlementKinds.ts'
import { checkHex, type InvalidHexError } from '../../redeemkit/evm/values/checkHex.ts'
import { type DescribedCall, describeCall, describeRevert } from './abi/describe.ts'
import { type RedeemRequest, readRedeems, usdcMethods } from './redeemRequest.ts'

/** What call data says. */
export type DecodedCall = {
  /** `redeem`, `setWhitelist`, `buy`. */
  name: string
  /** `mint(string,address,uint256)` */
  signature: string
  /** In words, a sentence each, on one line each. */
  words: readonly string[]
  /** Of `redeem` one, of `redeemBatch` each item; `undefined` for an item that cannot be read. Empty for all other calls. */
  redeems: readonly (DecodedRedeem | undefined)[]
}

/** What one redeem in call data asks for. Amounts are raw units of USDC. */
type DecodedRedeem = {
  /** `undefined` for a number that is no shape. */
  shape: SettlementKind | undefined
  customerWallet: Hex
  creditSeed: string
  amount: bigint
  usdcAmount: bigint
  gasFee: bigint
  /** `amount - usdcAmount + gasFee` */
  charged: bigint
  /** What the permit allows. */
  mostCharged: bigint
  /** Unix seconds, exclusive. */
  validBefore: bigint
  nonce: Hex
  /**
   * Whether the nonce commits to this redeem (PROTOCOL.md 4). `unbound`: it is random. `unknown`: a decent redeem commits to the
   * bridge adapter too, and none was given.
   */
  nonceIs: 'of this redeem' | 'of another redeem' | 'unbound' | 'unknown'
  target: Hex
  data: Hex
  /** The call of the target, when its function is known. */
  call: DescribedCall | undefined
  nftContract: Hex
  nftId: bigint
  bridge: RedeemRequest['settlement']['bridge']
  usdcMethod: keyof typeof usdcMethods | undefined
  /** Of the permit's signature, in bytes. */
  signatureSize: number
  words: readonly string[]
}

/**
 * Says what call data asks for: a redeem or a batch of them with all that they hold, a cancellation, a mint, a burn, a whitelist
 * entry; any other call by its function and its arguments.
 *
 * @param options.abis name the functions of merchants
 * @param options.now milliseconds; default the clock's
 * @returns `undefined` when nobody knows the function
 * @example
 * ```ts
 * import { decodeCall } from './decodeCall.ts'
 * decodeCall('0x8456cb59')?.name // 'pause'
 * ```
 */
export function decodeCall(data: Hex, options: decodeCall.Options = {}): DecodedCall | undefined {
  const { abis = [], now = Date.now, bridgeAdapter } = options
  const call = describeCall(data, abis)
  const redeems = readRedeems(data).map(
    (request) => request && decodeRedeem(request, { abis, now, bridgeAdapter }),
  )
  if (redeems.length > 0) {
    const [name, signature] =
      redeems.length === 1 && call?.name !== 'redeemBatch'
        ? ['redeem', 'redeem(RedeemRequest)']
        : ['redeemBatch', 'redeemBatch(bytes[],uint256[])']
    return { name, signature, words: wordsOfAll(redeems, name), redeems }
  }
  if (call === undefined) return undefined
  const words = ownWords(data) ?? [`Calls ${call.text}.`]
  return { name: call.name, signature: call.signature, words, redeems: [] }
}

export declare namespace decodeCall {
  type Options = {
    abis?: readonly Abi[] | undefined
    now?: (() => number) | undefined
    /** The bridge adapter of the credits contract, to compare the nonce of a decent redeem. */
    bridgeAdapter?: Hex | undefined
  }
}

function wordsOfAll(redeems: readonly (DecodedRedeem | undefined)[], name: string): string[] {
  if (name === 'redeem') return redeems.flatMap((redeem) => redeem?.words ?? [])
  return [
    `A batch of ${redeems.length}.`,
    ...redeems.flatMap((redeem, place) =>
      (redeem?.words ?? ['It cannot be read, and fails alone.']).map((words) => `${place + 1}. ${words}`),
    ),
  ]
}

function decodeRedeem(
  request: RedeemRequest,
  { abis, now, bridgeAdapter }: { abis: readonly Abi[]; now: () => number; bridgeAdapter: Hex | undefined },
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
    nonceIs: nonceIs(request, bridgeAdapter),
    ...{ target, data, nftContract, nftId, bridge },
    call: describeCall(data, abis),
    // the table's keys are its names
    usdcMethod: (Object.keys(usdcMethods) as (keyof typeof usdcMethods)[]).find(
      (name) => usdcMethods[name] === usdcAuthorization.method,
    ),
    signatureSize: size(permit.signature),
  }
  return { ...redeem, words: wordsOf(redeem, BigInt(Math.floor(now() / 1_000))) }
}

function nonceIs(
  { permit, intent, settlement }: RedeemRequest,
  bridgeAdapter: Hex | undefined,
): DecodedRedeem['nonceIs'] {
  if (!isBoundNonce(permit.nonce)) return 'unbound'
  // More in USDC than in all, or a wallet of zeros: no redeem has such a nonce.
  if (intent.usdcAmount > intent.amount || BigInt(permit.customerWallet) === 0n) return 'of another redeem'
  if (settlement.kind === settlementKinds.decent && bridgeAdapter === undefined) return 'unknown'
  const expected = redeemIntentNonce({
    orderKey: orderKeyOf(permit.nonce),
    customerWallet: permit.customerWallet,
    settlementHash: hashSettlement(settlement, { bridgeAdapter }),
    ...intent,
  })
  return expected === permit.nonce.toLowerCase() ? 'of this redeem' : 'of another redeem'
}

function wordsOf(redeem: Omit<DecodedRedeem, 'words'>, now: bigint): string[] {
  const { shape, amount, usdcAmount, gasFee, charged, mostCharged, customerWallet, creditSeed } = redeem
  const { validBefore, nonce, signatureSize, usdcMethod } = redeem
  const fee = gasFee === 0n ? '' : `, ${dollars(gasFee)} of it for gas`
  const usdc =
    usdcAmount === 0n
      ? ''
      : ` ${dollars(usdcAmount)} come from the customer's USDC (${methodWords[usdcMethod ?? 'none']}).`
  return [
    `Redeems ${dollars(amount)} for ${customerWallet}, credit seed ${showText(creditSeed, 60)}, shape ${shape ?? 'unknown'}.`,
    doesWords(redeem),
    `Charges ${dollars(charged)} to credits${fee}; the permit allows ${dollars(mostCharged)}${charged > mostCharged ? ': too little' : ''}.${usdc}`,
    `The permit is good ${until(validBefore, now)}, and signed with ${signatureSize} bytes. Its nonce ${nonce} ${nonceWords[redeem.nonceIs]}.`,
  ]
}

const nonceWords: Readonly<Record<DecodedRedeem['nonceIs'], string>> = {
  'of this redeem': 'stands for this very redeem, and for no other',
  'of another redeem':
    'stands for another redeem than this: the credits contract refuses it (IntentMismatch)',
  unbound: 'stands for no redeem: what is executed is the word of the relayer',
  unknown: 'commits to the bridge adapter too, which is not known here',
}

const methodWords: Readonly<Record<keyof typeof usdcMethods, string>> = {
  none: 'without an authorization: the credits contract refuses it',
  transferV1: 'TransferWithAuthorization, v r s',
  transferV2: 'TransferWithAuthorization, bytes',
  receiveV1: 'ReceiveWithAuthorization, v r s',
  receiveV2: 'ReceiveWithAuthorization, bytes',
}

function doesWords(redeem: Omit<DecodedRedeem, 'words'>): string {
  const { shape, target, data, call, nftContract, nftId, bridge } = redeem
  const does = shape === undefined ? 'call' : settlementShapes[shape].does
  if (does === 'transfer') return `Pays ${target} in USDC.`
  const what = call?.text ?? (data === '0x' ? 'without data' : `${data.slice(0, 10)} (${size(data)} bytes)`)
  if (does === 'bridge') {
    const cost = `${bridge.cost} raw units of ${bridge.isNative ? 'the coin' : bridge.dstToken}`
    return `Calls ${target} on chain ${bridge.dstChainId} with ${cost}: ${what}.`
  }
  const token =
    shape === 'knownTokenId'
      ? ` The customer gets token ${nftId} of ${nftContract}.`
      : shape === 'safeMint' || shape === 'returned'
        ? ` The customer gets what comes of ${nftContract}.`
        : ''
  return `Calls ${target}: ${what}.${token}`
}

/** What the functions of the credits contract do, in words; `undefined` for all others. */
function ownWords(data: Hex): string[] | undefined {
  let call: ReturnType<typeof decodeFunctionData<typeof creditsAbi>>
  try {
    call = decodeFunctionData({ abi: creditsAbi, data })
  } catch {
    // Another contract's function, or bytes that are none of its arguments.
    return undefined
  }
  switch (call.functionName) {
    case 'cancelCreditsAuthorization': {
      const [wallet, nonce, signature] = call.args
      return [`Cancels the permit of ${wallet} with nonce ${nonce}, signed with ${size(signature)} bytes.`]
    }
    case 'mint': {
      const [seed, wallet, amount] = call.args
      return [
        `Gives ${wallet} credits of ${dollars(amount)}, credit seed ${showText(seed, 60)}, for USDC of the sender.`,
      ]
    }
    case 'burn': {
      const [seed, wallet, amount] = call.args
      return [
        `Takes credits of ${dollars(amount)}, credit seed ${showText(seed, 60)}, from ${wallet}, and pays it the USDC behind them.`,
      ]
    }
    case 'setWhitelist': {
      const [seed, chainId, target, selector, isAny, isAllowed, minimumGas] = call.args
      const what = `${isAny ? 'any function' : selector} of ${target} on chain ${chainId} for credit seed ${showText(seed, 60)}`
      return [
        isAllowed ? `Allows ${what}, with ${minimumGas} gas at least.` : `Takes away the entry for ${what}.`,
      ]
    }
    case 'setUnboundPermits': {
      const [seed, isAllowed] = call.args
      return [
        `${isAllowed ? 'Allows' : 'Forbids'} operators permits of credit seed ${showText(seed, 60)} that do not say what they pay for.`,
      ]
    }
    case 'withdrawFees':
      return ['Pays the gas fees to the fee recipient.']
    default:
      return undefined
  }
}

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
 * import { decodeData } from './decodeCall.ts'
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

import type { Address } from 'viem'
import { centsToAmount, type InvalidAmountError } from '../../core/amount.ts'
import { attempt } from '../../core/attempt.ts'
import { isEvmBlockchain } from '../../core/blockchains.ts'
import { checkOptions, isPromise, type OptionKinds } from '../../core/checkOptions.ts'
import { InvalidAddressError, type InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { describeType, showValue } from '../../core/errors/showValue.ts'
import { freeze } from '../../core/freeze.ts'
import { defaultMaxGasFeeCents } from '../../core/limits.ts'
import { checkOrderId } from '../../core/orderId.ts'
import { secureRandom } from '../../core/secureRandom.ts'
import { checkNonZeroAddress } from '../../evm/checkAddress.ts'
import { creditsDomain } from '../../evm/creditPermit/creditPermit.ts'
import { orderKey, toOrderKey } from '../../evm/creditPermit/orderKey.ts'
import { networkOf } from '../../evm/networks.ts'
import type { UsdcAuthorizationType } from '../../evm/usdcAuthorization/usdcAuthorization.ts'
import { checkChainId, checkText, type InvalidChainIdError, type InvalidTextError } from '../../evm/values.ts'
import { bytesToHex } from '../../evm/viem.ts'
import { lightCart, lightCents, lightRedeemSubtotal } from '../../schema/light.ts'
import { readRecord } from '../../schema/readRecord.ts'
import { InvalidRedeemRequestError, InvalidSubtotalError } from '../errors.ts'
import type { RedeemPins, RedeemRequest, RedeemTerms } from '../preparedRedeem.ts'

/** Returns random bytes, suitable for keys. */
export type Random = (length: number) => Uint8Array

/** The caller's request, wallet and pinned values. */
export type RedeemTermsOptions = RedeemRequest & {
  /** Wallet that pays. Default: the client's wallet. */
  wallet?: string | undefined
  /** Default: the chain of `pinned`, or the client's blockchain in its environment. */
  chainId?: number | undefined
  /** Pinned values: trusted values from your own configuration, never from the service. */
  pinned: RedeemPins
  /**
   * The merchant's order id: 1 to 256 visible characters. Each id belongs to one price and one cart, and is paid once. Use random ids: a
   * guessable id can be recognized on chain. Default: a random order.
   */
  purchaseId?: string | undefined
  /** Randomness for the salt and, if there is no `purchaseId`, for the order key. Default `crypto.getRandomValues`. */
  random?: Random | undefined
}

export type RedeemClient = {
  readonly merchantId: string
  readonly blockchain?: string | undefined
  readonly environment?: string | undefined
  readonly wallet?: string | undefined
}

/** Returns a frozen copy, so that later changes of the caller's objects have no effect. `given` has values of stored terms. */
export function readRedeemTerms(
  client: RedeemClient,
  options: RedeemTermsOptions,
  given: Partial<Pick<RedeemTerms, 'orderKey' | 'salt' | 'bridgeAdapter'>> = {},
): RedeemTerms {
  if (typeof client?.merchantId !== 'string')
    throw new InvalidRedeemRequestError(
      isPromise(client)
        ? 'The client is a promise.'
        : `The client has no merchantId: it is ${describeType(client)}.`,
      {
        field: 'client',
        fix: `${isPromise(client) ? 'Await it first. ' : ''}Pass the result of createPaymentsClient as the first argument, and the options as the second.`,
      },
    )
  checkPinned(options.pinned)
  const { chainId, blockchain } = readNetwork(client, options.chainId ?? options.pinned.chainId)
  const merchantId = checkOrderId(client.merchantId, 'merchantId')
  const { purchaseId, random } = options
  const wallet = checkNonZeroAddress(readWallet(options.wallet ?? client.wallet), 'wallet')
  const request = readRequest(options)
  const pinned = readPins(options.pinned, chainId)
  const bridgeAdapter = isDecent(request) ? (given.bridgeAdapter ?? options.pinned.bridgeAdapter) : undefined
  return freeze({
    merchantId,
    blockchain,
    chainId,
    wallet,
    request,
    pinned,
    ...(purchaseId !== undefined && { purchaseId: checkOrderId(purchaseId, 'purchaseId') }),
    ...(bridgeAdapter !== undefined && {
      bridgeAdapter: checkNonZeroAddress(bridgeAdapter, 'pinned.bridgeAdapter'),
    }),
    orderKey:
      purchaseId === undefined
        ? (given.orderKey ?? toOrderKey(randomBytes(random)))
        : orderKey({ merchantId, purchaseId }),
    // Drawn last, once the request is valid.
    salt: given.salt ?? bytesToHex(randomBytes(random)),
  })
}

/** Whether the redeem uses the bridge. Its nonce then also commits to the bridge adapter. */
export const isDecent = ({ transactionData }: Pick<RedeemRequest, 'transactionData'>) =>
  Object(transactionData).type === 'decent'

export declare namespace readRedeemTerms {
  type ErrorType =
    | networkOf.ErrorType
    | InvalidChainIdError
    | InvalidRedeemRequestError
    | readRecord.ErrorType
    | InvalidSubtotalError
    | readPins.ErrorType
    | orderKey.ErrorType
    | InvalidAddressError
}

function readWallet(wallet: string | undefined): string {
  if (wallet !== undefined && wallet !== null) return wallet
  throw new InvalidRedeemRequestError('No wallet was passed.', {
    field: 'wallet',
    fix: 'Pass `wallet` here or to createPaymentsClient. redeem also uses the account of its signer.',
  })
}

/** The given chain must match the client's. Default: the client's chain. */
export function readNetwork(client: Omit<RedeemClient, 'merchantId'>, given: number | undefined) {
  const chainId = given === undefined ? undefined : checkChainId(given, 'chainId')
  if (chainId === undefined) {
    const { blockchain, environment } = client
    if (
      blockchain === undefined ||
      !isEvmBlockchain(blockchain) ||
      (environment !== 'sandbox' && environment !== 'prod')
    )
      throw new InvalidRedeemRequestError('The chain of the redeem is unknown.', {
        field: 'chainId',
        fix: 'Pass `chainId`, or create the client with an EVM blockchain and an environment.',
      })
    return networkOf({ blockchain, environment })
  }
  const network = networkOf({ chainId })
  for (const key of ['blockchain', 'environment'] as const)
    if (client[key] !== undefined && client[key] !== network[key])
      throw new InvalidRedeemRequestError(
        `Chain ${chainId} is ${network.blockchain} (${network.environment}), but the client's ${key} is ${showValue(client[key])}.`,
        { field: 'chainId', fix: "Pass a client for this chain, or the client's own chain id." },
      )
  return network
}

/** Returns plain JSON. Drops a `usdcAmount` of 0. */
export function readRequest(given: RedeemRequest): RedeemRequest {
  const { subtotal, transactionData, usdcAmount: paid, chargebackProtectionData } = given
  const read = { subtotal, transactionData, usdcAmount: paid, chargebackProtectionData }
  // Read once, because a getter could return another value the second time.
  const text = attempt(() => JSON.stringify(read))
  if (text === undefined) throw notJson(read)
  const copy = JSON.parse(text) as Partial<Record<keyof RedeemRequest, unknown>> // an object literal
  const usdcAmount =
    copy.usdcAmount === undefined
      ? undefined
      : readRecord(lightCents, copy.usdcAmount, { field: 'usdcAmount', ...askedInUsdc })
  return {
    subtotal: readSubtotal(copy.subtotal),
    // Each field is checked before it is hashed.
    transactionData: copy.transactionData as RedeemRequest['transactionData'],
    ...(usdcAmount && usdcAmount.cents > 0 && { usdcAmount }),
    ...(copy.chargebackProtectionData !== undefined && {
      // Cart items do not affect what is signed or moved, so the service validates them.
      chargebackProtectionData: readRecord(lightCart, copy.chargebackProtectionData, {
        field: 'chargebackProtectionData',
      }) as NonNullable<RedeemRequest['chargebackProtectionData']>,
    }),
  }
}

const record = 'The request'
const asked = {
  record,
  fix: 'Pass whole US cents as a number, { cents: 1000 } for 10.00 USD, or { address, amount: "10.00" } with the chain’s USDC.',
}
const askedInUsdc = { record, fix: 'Pass whole US cents as a number: { cents: 400 } for 4.00 USDC.' }

function readSubtotal(given: unknown): RedeemRequest['subtotal'] {
  const currency =
    typeof given === 'object' && given !== null && 'currency' in given ? given.currency : undefined
  if (currency !== undefined && currency !== 'USD')
    throw new InvalidSubtotalError(`A redeem cannot be priced in ${showValue(currency)}.`, {
      field: 'subtotal.currency',
      fix: 'Pass the price in US cents ({ cents: 1000 }), or in the chain’s USDC.',
      source: 'PROTOCOL.md 6.1',
    })
  return readRecord(lightRedeemSubtotal, given, { field: 'subtotal', ...asked })
}

function notJson(request: object): InvalidRedeemRequestError {
  // A getter threw, or the references are circular.
  const found = attempt(() => findBigint(request, ''))
  if (found === undefined)
    return new InvalidRedeemRequestError('The request cannot be written as JSON.', {
      fix: 'Pass plain data without circular references.',
    })
  const { path, value } = found
  const isCents = path.endsWith('.cents')
  return new InvalidRedeemRequestError(
    `${path} is the bigint ${showValue(value)}n, which JSON cannot represent.`,
    {
      field: path,
      fix: isCents
        ? `Pass a number of cents: ${showValue(value)} instead of ${showValue(value)}n.`
        : `Pass decimal text: "${showValue(value)}".`,
    },
  )
}

function findBigint(value: unknown, path: string): { path: string; value: bigint } | undefined {
  if (typeof value === 'bigint') return { path, value }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const inside = Array.isArray(value) ? `${path}[${key}]` : `${path}${path && '.'}${key}`
    const found = findBigint(item, inside)
    if (found !== undefined) return found
  }
  return undefined
}

const pinKinds: OptionKinds<RedeemPins> = {
  creditsContract: 'any',
  creditSeed: 'any',
  chainId: 'any',
  domainName: 'any',
  domainVersion: 'any',
  maxGasFeeCents: 'any',
  intentBound: 'boolean?',
  usdcAuthorizationType: 'any',
  bridgeAdapter: 'any',
  formerContracts: 'any',
  walletFactories: 'any',
}

/** Called before all other checks, because nothing is safe without pinned values. */
export function checkPinned(pinned: Partial<RedeemPins> | undefined): void {
  if (pinned?.creditsContract === undefined)
    throw new InvalidAddressError('No credits contract is pinned.', {
      field: pinned ? 'pinned.creditsContract' : 'pinned',
      fix: 'Pass pinned: { creditsContract, creditSeed }, from your own configuration and never from the service.',
      source: 'PROTOCOL.md 3.2',
    })
}

/** Applies defaults. Rejects unknown keys, because a misspelled pin would protect nothing. */
export function readPins(pinned: RedeemPins, chainId: number): RedeemTerms['pinned'] {
  checkPinned(pinned)
  const {
    creditsContract,
    creditSeed,
    domainName = creditsDomain.name,
    domainVersion = creditsDomain.version,
    maxGasFeeCents = defaultMaxGasFeeCents,
    intentBound = true,
    usdcAuthorizationType,
  } = checkOptions(pinned, pinKinds, 'pinned')
  if (pinned.chainId !== undefined && pinned.chainId !== chainId)
    throw new InvalidRedeemRequestError(
      `The pinned values are for chain ${showValue(pinned.chainId)}, but the redeem is on chain ${chainId}.`,
      {
        field: 'pinned.chainId',
        fix: 'Pass the pinned values for the redeem’s chain.',
      },
    )
  centsToAmount(maxGasFeeCents, { field: 'pinned.maxGasFeeCents' })
  readFormerContracts(pinned)
  readFormerContracts({ formerContracts: pinned.walletFactories }, 'pinned.walletFactories')
  if (pinned.bridgeAdapter !== undefined) checkNonZeroAddress(pinned.bridgeAdapter, 'pinned.bridgeAdapter')
  if (usdcAuthorizationType !== undefined && (intentBound || !usdcTypes.includes(usdcAuthorizationType)))
    throw new InvalidRedeemRequestError(
      `The usdcAuthorizationType ${showValue(usdcAuthorizationType)} cannot be pinned here.`,
      {
        field: 'pinned.usdcAuthorizationType',
        fix: `Pass ${usdcTypes.join(' or ')} together with intentBound: false, or omit it.`,
      },
    )
  return {
    creditsContract: checkNonZeroAddress(creditsContract, 'pinned.creditsContract'),
    creditSeed: checkText(creditSeed, 'pinned.creditSeed'),
    domainName: checkText(domainName, 'pinned.domainName'),
    domainVersion: checkText(domainVersion, 'pinned.domainVersion'),
    maxGasFeeCents,
    ...(!intentBound && { intentBound }),
    ...(usdcAuthorizationType && { usdcAuthorizationType }),
  }
}

export function readFormerContracts(
  { formerContracts = [] }: Pick<RedeemPins, 'formerContracts'>,
  field = 'pinned.formerContracts',
): Address[] {
  if (!Array.isArray(formerContracts))
    throw new InvalidAddressError(`${field} is ${describeType(formerContracts)}, not a list.`, {
      field,
      fix: 'Pass a list of addresses.',
    })
  return formerContracts.map((address, at) => checkNonZeroAddress(address, `${field}[${at}]`))
}

const usdcTypes: readonly UsdcAuthorizationType[] = ['ReceiveWithAuthorization', 'TransferWithAuthorization']

export declare namespace readPins {
  type ErrorType =
    | InvalidAddressError
    | InvalidAmountError
    | InvalidOptionError
    | InvalidRedeemRequestError
    | InvalidTextError
}

function randomBytes(random: Random = secureRandom): Uint8Array {
  const bytes = random(32)
  if (bytes.length !== 32 || bytes.every((byte) => byte === 0))
    throw new InvalidRedeemRequestError('The option `random` did not return 32 random bytes.', {
      field: 'random',
      fix: 'Use the default.',
    })
  return bytes
}

import type { Address } from 'viem'
import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { isEvmBlockchain } from '../../core/blockchains.ts'
import { checkOptions, isPromise, type OptionKinds } from '../../core/checkOptions.ts'
import { describeType } from '../../core/errors/describeType.ts'
import { InvalidAddressError, type InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { freeze } from '../../core/freeze.ts'
import { defaultMaxGasFeeCents } from '../../core/limits.ts'
import { checkOrderId } from '../../core/orderId.ts'
import { checkNonZeroAddress } from '../../evm/checkAddress.ts'
import { orderKey, toOrderKey } from '../../evm/creditPermit/orderKey.ts'
import { networkOf } from '../../evm/networks.ts'
import type { UsdcAuthorizationType } from '../../evm/usdcAuthorization/usdcAuthorization.ts'
import { checkChainId, checkText, type InvalidChainIdError, type InvalidTextError } from '../../evm/values.ts'
import { bytesToHex } from '../../evm/viem.ts'
import { lightCart, lightCents, lightRedeemSubtotal } from '../../schema/light/records.ts'
import { readRecord } from '../../schema/readRecord.ts'
import { InvalidRedeemRequestError, InvalidSubtotalError } from '../errors.ts'
import type { RedeemPins, RedeemRequest, RedeemTerms } from '../preparedRedeem.ts'

/** Gives so many random bytes, fit for keys. */
export type Random = (length: number) => Uint8Array

/** What the caller gives to say what is redeemed, for whom, and what is trusted. */
export type RedeemTermsOptions = RedeemRequest & {
  /** Who pays. Default: the client's wallet. */
  wallet?: string | undefined
  /** Default: the chain of `pinned`, else the client's blockchain in its environment. */
  chainId?: number | undefined
  /** What you trust on this chain. From your own code or configuration, never from the service. */
  pinned: RedeemPins
  /**
   * The merchant's order id: 1 to 256 visible characters. One id stands for one price and one cart, and is paid once. Draw ids at
   * random: an id that can be guessed can be recognized on chain. Default: a random order.
   */
  purchaseId?: string | undefined
  /** Randomness for the salt, and for the order without `purchaseId`. Default `crypto.getRandomValues`. */
  random?: Random | undefined
}

/** The part of a client that a redeem is made for. */
export type RedeemClient = {
  readonly merchantId: string
  readonly blockchain?: string | undefined
  readonly environment?: string | undefined
  readonly wallet?: string | undefined
}

/**
 * Reads what the caller asks for into a frozen copy: what is checked and hashed here is what is sent later, whatever
 * becomes of the caller's objects.
 *
 * @param given the order key, salt and bridge adapter of stored terms
 * @throws the typed error of the field at fault
 */
export function readRedeemTerms(
  client: RedeemClient,
  options: RedeemTermsOptions,
  given: Partial<Pick<RedeemTerms, 'orderKey' | 'salt' | 'bridgeAdapter'>> = {},
): RedeemTerms {
  if (typeof client?.merchantId !== 'string')
    throw new InvalidRedeemRequestError(
      isPromise(client)
        ? 'The client is a promise.'
        : `The client is ${describeType(client)} of no merchant.`,
      {
        field: 'client',
        fix: `${isPromise(client) ? 'Await it first. ' : ''}The first argument is what createPaymentsClient returned, the second one the options.`,
      },
    )
  const { chainId, blockchain } = readNetwork(client, options.chainId ?? options.pinned?.chainId)
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
    // Drawn last: the request that it is hashed with is fixed by now.
    salt: given.salt ?? bytesToHex(randomBytes(random)),
  })
}

/** Whether a request goes through the bridge, so that its nonce commits to the bridge adapter, too. */
export const isDecent = ({ transactionData }: Pick<RedeemRequest, 'transactionData'>) =>
  Object(transactionData).type === 'decent'

export declare namespace readRedeemTerms {
  type ErrorType =
    | readNetwork.ErrorType
    | readRequest.ErrorType
    | readPins.ErrorType
    | orderKey.ErrorType
    | InvalidAddressError
}

/** Who pays, which nobody can be asked for here. */
function readWallet(wallet: string | undefined): string {
  if (wallet !== undefined && wallet !== null) return wallet
  throw new InvalidRedeemRequestError('No wallet was given: nobody says who pays.', {
    field: 'wallet',
    fix: 'Give wallet here, or to createPaymentsClient. redeem also takes the account of its signer.',
  })
}

/** The chain that is given, when it is the client's; else the client's. */
export function readNetwork(client: Omit<RedeemClient, 'merchantId'>, given: number | undefined) {
  const chainId = given === undefined ? undefined : checkChainId(given, 'chainId')
  if (chainId === undefined) {
    const { blockchain, environment } = client
    if (
      blockchain === undefined ||
      !isEvmBlockchain(blockchain) ||
      (environment !== 'sandbox' && environment !== 'prod')
    )
      throw new InvalidRedeemRequestError('The chain of the redeem is not known.', {
        field: 'chainId',
        fix: 'Give chainId, or give the client an EVM blockchain and an environment.',
      })
    return networkOf({ blockchain, environment })
  }
  const network = networkOf({ chainId })
  for (const key of ['blockchain', 'environment'] as const)
    if (client[key] !== undefined && client[key] !== network[key])
      throw new InvalidRedeemRequestError(
        `Chain ${chainId} is ${network.blockchain} (${network.environment}), but the client's ${key} is ${showValue(client[key])}.`,
        { field: 'chainId', fix: 'Use a client for this chain, or the chain id that belongs to it.' },
      )
  return network
}

export declare namespace readNetwork {
  type ErrorType = networkOf.ErrorType | InvalidChainIdError | InvalidRedeemRequestError
}

/**
 * A copy of the request as it will stand in JSON, checked. `usdcAmount` of 0 is left out: nothing is paid in USDC.
 */
export function readRequest(given: RedeemRequest): RedeemRequest {
  const { subtotal: price, transactionData, usdcAmount: paid, chargebackProtectionData } = given
  let copy: Partial<Record<keyof RedeemRequest, unknown>>
  try {
    // One reading, so that an object which answers differently the second time cannot matter.
    copy = JSON.parse(
      JSON.stringify({ subtotal: price, transactionData, usdcAmount: paid, chargebackProtectionData }),
    ) as typeof copy // it is that object literal
  } catch {
    throw notJson({ subtotal: price, transactionData, usdcAmount: paid, chargebackProtectionData })
  }
  const usdcAmount =
    copy.usdcAmount === undefined
      ? undefined
      : readRecord(lightCents, copy.usdcAmount, { field: 'usdcAmount', ...askedInUsdc })
  return {
    subtotal: readSubtotal(copy.subtotal),
    // Checked field by field where it is hashed, before anything is sent.
    transactionData: copy.transactionData as RedeemRequest['transactionData'],
    ...(usdcAmount && usdcAmount.cents > 0 && { usdcAmount }),
    ...(copy.chargebackProtectionData !== undefined && {
      // What is inside an item says nothing about what is signed or moved: the service judges it.
      chargebackProtectionData: readRecord(lightCart, copy.chargebackProtectionData, {
        field: 'chargebackProtectionData',
      }) as NonNullable<RedeemRequest['chargebackProtectionData']>,
    }),
  }
}

export declare namespace readRequest {
  type ErrorType = readRecord.ErrorType | InvalidRedeemRequestError | InvalidSubtotalError
}

const record = 'The request'
const asked = {
  record,
  fix: 'Give whole US cents as a number, { cents: 1000 } for 10.00 USD, or an amount of the USDC of the chain as text.',
}
const askedInUsdc = { record, fix: 'Give whole US cents as a number: { cents: 400 } for 4.00 USDC.' }

/** A price in US cents or in a token; which token, is looked at where the chain is known. */
function readSubtotal(given: unknown): RedeemRequest['subtotal'] {
  const currency =
    typeof given === 'object' && given !== null && 'currency' in given ? given.currency : undefined
  if (currency !== undefined && currency !== 'USD')
    throw new InvalidSubtotalError(`A redeem cannot be priced in ${showValue(currency)}.`, {
      field: 'subtotal.currency',
      fix: 'Give the price in US cents ({ cents: 1000 }), or in the USDC of the chain.',
      docs: 'PROTOCOL.md 6.1',
    })
  return readRecord(lightRedeemSubtotal, given, { field: 'subtotal', ...asked })
}

/** What is said of a request that `JSON.stringify` refuses: the field, when a bigint is in it. */
function notJson(request: object): InvalidRedeemRequestError {
  let found: { path: string; value: bigint } | undefined
  try {
    found = findBigint(request, '')
  } catch {
    // an object that breaks while it is read
  }
  if (found === undefined)
    return new InvalidRedeemRequestError('The request cannot be written as JSON.', {
      fix: 'Give plain data: no circles, no functions that throw.',
    })
  const { path, value } = found
  const isCents = path.endsWith('.cents')
  return new InvalidRedeemRequestError(
    `${path} is the bigint ${showValue(value)}n, which JSON does not have.`,
    {
      field: path,
      fix: isCents
        ? `Give a number of cents: ${showValue(value)} instead of ${showValue(value)}n.`
        : `Give decimal text: "${showValue(value)}".`,
    },
  )
}

function findBigint(value: unknown, path: string, depth = 0): { path: string; value: bigint } | undefined {
  if (typeof value === 'bigint') return { path, value }
  if (typeof value !== 'object' || value === null || depth > 16) return undefined
  for (const [key, item] of Object.entries(value)) {
    const inside = Array.isArray(value) ? `${path}[${key}]` : `${path}${path && '.'}${key.slice(0, 60)}`
    const found = findBigint(item, inside, depth + 1)
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
}

/** The pins with their defaults. One that is misspelt would guard nothing. */
export function readPins(pinned: RedeemPins, chainId: number): RedeemTerms['pinned'] {
  if (pinned?.creditsContract === undefined)
    throw new InvalidAddressError('No credits contract is pinned: nothing says which one is trusted.', {
      field: 'pinned.creditsContract',
      fix: 'Give pinned: { creditsContract, creditSeed }, from your own configuration and never from the service.',
      docs: 'PROTOCOL.md 3.2',
    })
  const {
    creditsContract,
    creditSeed,
    domainName = 'Credits',
    domainVersion = '1',
    maxGasFeeCents = defaultMaxGasFeeCents,
    intentBound = true,
    usdcAuthorizationType,
  } = checkOptions(pinned, pinKinds, 'pinned')
  if (pinned.chainId !== undefined && pinned.chainId !== chainId)
    throw new InvalidRedeemRequestError(
      `The pins are for chain ${showValue(pinned.chainId)}, the redeem is on ${chainId}.`,
      {
        field: 'pinned.chainId',
        fix: 'Pass the pins of the chain of the redeem.',
      },
    )
  centsToAmount(maxGasFeeCents, { field: 'pinned.maxGasFeeCents' })
  readFormerContracts(pinned)
  if (pinned.bridgeAdapter !== undefined) checkNonZeroAddress(pinned.bridgeAdapter, 'pinned.bridgeAdapter')
  if (usdcAuthorizationType !== undefined && (intentBound || !usdcTypes.includes(usdcAuthorizationType)))
    throw new InvalidRedeemRequestError(
      `usdcAuthorizationType ${showValue(usdcAuthorizationType)} cannot be pinned here.`,
      {
        field: 'pinned.usdcAuthorizationType',
        fix: `It is ${usdcTypes.join(' or ')}, and goes with intentBound: false. Leave it out for a service that asks for its type itself.`,
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

/** Earlier credits contracts of a chain, in which an order may have been paid. */
export function readFormerContracts(
  { formerContracts = [] }: Pick<RedeemPins, 'formerContracts'>,
  field = 'pinned.formerContracts',
): Address[] {
  if (!Array.isArray(formerContracts))
    throw new InvalidAddressError(`${field} is ${describeType(formerContracts)}, and not a list.`, {
      field,
      fix: 'Pass a list of addresses.',
    })
  return formerContracts.map((address, at) => checkNonZeroAddress(address, `${field}[${at}]`))
}

export declare namespace readFormerContracts {
  type ErrorType = InvalidAddressError
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

function randomBytes(
  random: Random = (length) => crypto.getRandomValues(new Uint8Array(length)),
): Uint8Array {
  const bytes = random(32)
  if (bytes.length !== 32 || bytes.every((byte) => byte === 0))
    throw new InvalidRedeemRequestError('The source of randomness did not give 32 random bytes.', {
      field: 'random',
      fix: 'Use the default.',
    })
  return bytes
}

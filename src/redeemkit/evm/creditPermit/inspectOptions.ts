import type { Address, Hex } from 'viem'
import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { type Clock, type InvalidClockError, readClock } from '../../core/clock.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import {
  type InvalidAddressError,
  InvalidOptionError,
  InvalidRecordError,
} from '../../core/errors/inputErrors.ts'
import type { Finding, Grant, InspectionKind, Move } from '../../core/finding/finding.ts'
import type { InspectionLine, InspectionSentence } from '../../core/inspection/inspection.ts'
import { checkOrderId } from '../../core/orderId.ts'
import { parseUrl } from '../../core/parseUrl.ts'
import { checkAddress, checkNonZeroAddress } from '../checkAddress.ts'
import type { UsdcTokenOverride } from '../usdcToken.ts'
import {
  checkBoolean,
  checkChainId,
  checkHex,
  checkKeys,
  checkRecord,
  checkText,
  type InvalidChainIdError,
  type InvalidFlagError,
  type InvalidHexError,
  type InvalidTextError,
} from '../values.ts'
import { type DisclosedIntent, readDisclosedIntent, readThirdParameter } from './disclosedIntent.ts'

/** The wallet's own values. Each one is compared; a missing important one is a finding. */
export type InspectContext = {
  /** Origin of the requesting page, as the browser reports it: `https://shop.example`. Never a claim of the message. */
  origin?: string | undefined
  /** The account that would sign. */
  address?: Address | undefined
  /** The wallet's chain. */
  chainId?: number | undefined
  /** Contracts, shops and their receivers that the wallet or its user trusts (PROTOCOL.md 3.2). */
  pinned?: readonly InspectPins[] | undefined
  /** The purchase that the page disclosed: `disclosedIntentOf(request)`. Another version counts as absent. */
  intent?: DisclosedIntent | undefined
  /** Names of addresses that the wallet or its user knows, by address. An unlimited approval for another one is refused. */
  known?: Readonly<Record<Address, string>> | undefined
  /** Maximum that one request may take from credits, and from USDC, in US cents. */
  maxCents?: number | undefined
  /** Credit permits that this wallet signed before. */
  signedPermits?: readonly SignedPermit[] | undefined
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: Clock | undefined
}

/**
 * A shop that the wallet or its user trusts on one chain. A redeem is `ok` only if one entry names its contract and chain, the
 * credit seed, the merchant, the receiver and the page.
 */
export type InspectPins = RedeemPins & {
  /** The chain of the contract. The same address can hold another contract on another chain. */
  chainId: number
  /** The merchant of the credit seed, as in order keys. */
  merchantId?: string | undefined
  /** Addresses that a purchase at this shop may pay or call. */
  receivers?: readonly Address[] | undefined
  /** Origins of the shop's pages: `https://shop.example`. */
  origins?: readonly string[] | undefined
  /** Name of the shop, to show. Default: its `merchantId`. */
  name?: string | undefined
  /** USDC of the chain, if it is not the known one: a test token. */
  usdc?: UsdcTokenOverride | undefined
}

/** A credit permit that the wallet signed. */
export type SignedPermit = {
  nonce: Hex
  /** The chain that it was signed for. Absent: any. */
  chainId?: number | undefined
  /** Whether its order was redeemed or cancelled. */
  isUsed?: boolean | undefined
}

type Check = (value: unknown, field: string) => unknown
type Checks<options> = { readonly [name in keyof options]-?: Check }

// `centsToAmount` refuses everything that is not a number.
const checkCents: Check = (value, field) => centsToAmount(value as number, { field })

const each =
  (check: Check): Check =>
  (value, field) => {
    // without this check, text would be read character by character, and other values would fail later
    for (const one of Array.isArray(value) ? value : [undefined]) check(one, field)
  }

const pinChecks: Checks<InspectPins> = {
  creditsContract: checkNonZeroAddress,
  creditSeed: checkText,
  chainId: checkChainId,
  domainName: checkText,
  domainVersion: checkText,
  bridgeAdapter: checkNonZeroAddress,
  formerContracts: each(checkNonZeroAddress),
  walletFactories: each(checkNonZeroAddress),
  maxGasFeeCents: checkCents,
  intentBound: checkBoolean,
  usdcAuthorizationType: checkText,
  merchantId: checkOrderId,
  receivers: each(checkNonZeroAddress),
  origins: each(checkOrigin),
  name: checkText,
  usdc: (value, field) => {
    const fields = { required: ['address', 'name'], optional: ['version'] }
    checkEach(
      checkKeys(value, field, fields),
      { address: checkNonZeroAddress, name: checkText, version: checkText },
      field,
    )
  },
}

const contextChecks: Checks<InspectContext> = {
  // the origin of an extension's or a sandboxed page is not a URL
  origin: checkText,
  address: checkAddress,
  chainId: checkChainId,
  pinned: each((value, field) => checkEach(checkRecord(value, field), pinChecks, field)),
  // the intent comes from the page, so an error in it is a finding
  intent: () => undefined,
  known: (value, field) => {
    for (const [address, name] of Object.entries(checkRecord(value, field))) {
      checkAddress(address, field)
      checkText(name, field)
    }
  },
  maxCents: checkCents,
  signedPermits: each((value, field) => {
    const { nonce, chainId, isUsed } = checkKeys(value, field, {
      required: ['nonce'],
      optional: ['chainId', 'isUsed'],
    })
    checkHex(nonce, `${field}.nonce`, { bytes: 32 })
    if (chainId !== undefined) checkChainId(chainId, `${field}.chainId`)
    if (isUsed !== undefined) checkBoolean(isUsed, `${field}.isUsed`)
  }),
  // `readClock` validates the clock when it is used.
  now: () => undefined,
}

/**
 * Refuses a context with misspelt fields or values of the wrong type, which could not be compared.
 *
 * @returns the context with one reading of the clock and of the intent
 * @throws UnknownFieldError, MissingFieldError, InvalidRecordError and the errors of the single values
 */
export function readInspectContext(context: InspectContext): ReadContext {
  checkEach(checkRecord(context, 'context'), contextChecks, '')
  const time = readClock(context.now)
  const { intent, ...rest } = context
  return { ...rest, ...readIntent(intent), now: () => time }
}

/** A checked context. */
export type ReadContext = InspectContext & {
  /** The reason why the intent cannot be read. */
  intentError?: BaseError | undefined
  /** Further known tokens, besides the chain's USDC. */
  tokenOf?: ((token: string, chainId: number) => KnownToken | undefined) | undefined
  /** Describes the calls of contracts that only one chain has. */
  describeOwn?: ((call: Call, chainId: number) => DescribedCall | undefined) | undefined
}

/** One call of a transaction, and the account that makes it. */
export type Call = { from: string; to: Address; data: Hex; value: bigint }

/** The description of a call. */
export type DescribedCall = {
  kind: InspectionKind
  title: InspectionSentence
  lines: InspectionLine[]
  findings: Finding[]
  moves: Move[]
  grants: Grant[]
}

export type KnownToken = { decimals: number; symbol: string | undefined }

function readIntent(intent: unknown): Pick<ReadContext, 'intent' | 'intentError'> {
  if (intent === undefined) return {}
  try {
    return { intent: readDisclosedIntent(intent) }
  } catch (error) {
    return { intentError: intentErrorOf(error) }
  }
}

// a proxy may throw anything
const intentErrorOf = (error: unknown) =>
  error instanceof BaseError ? error : new InvalidRecordError('It is not plain data.')

/**
 * Adds an error in the third parameter of a request to the findings. The intent itself is read only from the context, because the wallet
 * decides whether it accepts one.
 */
export function withIntentError(context: ReadContext, options: unknown): ReadContext {
  try {
    readThirdParameter(options)
    return context
  } catch (error) {
    return { ...context, intentError: context.intentError ?? intentErrorOf(error) }
  }
}

export declare namespace readInspectContext {
  type ErrorType =
    | checkKeys.ErrorType
    | checkOrderId.ErrorType
    | InvalidAddressError
    | InvalidAmountError
    | InvalidChainIdError
    | InvalidClockError
    | InvalidFlagError
    | InvalidHexError
    | InvalidOptionError
    | InvalidTextError
}

function checkEach(record: Record<string, unknown>, checks: Record<string, Check>, field: string): void {
  checkKeys(record, field, { required: [], optional: Object.keys(checks) })
  for (const [name, check] of Object.entries(checks))
    if (record[name] !== undefined) check(record[name], field === '' ? name : `${field}.${name}`)
}

/** An origin as a browser writes it. In any other form it would never equal the origin of a request. */
function checkOrigin(value: unknown, field: string): void {
  const text = checkText(value, field)
  if (parseUrl(text)?.origin === text) return
  throw new InvalidOptionError(`${field} is not an origin.`, {
    field,
    fix: 'Pass scheme, host and port as a browser writes them, such as https://shop.example.',
  })
}

/**
 * The values that the caller trusts on one chain. They come from the caller's own code or configuration, never from the service: values
 * that are not pinned are refused (PROTOCOL.md 3.2).
 */
export type RedeemPins = {
  /** The credits contract. */
  creditsContract: Address
  /** Name of the merchant's credit balance. */
  creditSeed: string
  /** The chain of the contract. */
  chainId?: number | undefined
  /** EIP-712 name of the contract. Default `Credits`. */
  domainName?: string | undefined
  /** EIP-712 version of the contract. Default `1`. */
  domainVersion?: string | undefined
  /** Takes the USDC of `decent` redeems. Default: read from the pinned credits contract. */
  bridgeAdapter?: Address | undefined
  /** Earlier credits contracts of this chain, in which an order may have been paid. */
  formerContracts?: readonly Address[] | undefined
  /** Factories through which the service deploys wallets without code (ERC-6492), besides those of widely used smart accounts. */
  walletFactories?: readonly Address[] | undefined
  /** The highest gas fee to accept, in US cents. Default 100. */
  maxGasFeeCents?: number | undefined
  /**
   * Whether a permit's nonce commits to the purchase (PROTOCOL.md 4). Default true. `false` is for services with random nonces
   * (PROTOCOL.md 4.4): you trust their relayer to pay for the request and nothing else, up to the permit's amount.
   */
  intentBound?: boolean | undefined
  /**
   * Authorization type that a service with `intentBound: false` accepts, if its response does not name one. Default
   * `ReceiveWithAuthorization`, which only the credits contract can execute.
   */
  usdcAuthorizationType?: 'ReceiveWithAuthorization' | 'TransferWithAuthorization' | undefined
}

import type { Address, Hex } from 'viem'
import { centsToAmount, type InvalidAmountError } from '../../core/amount.ts'
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

/** The wallet's own values, with which a request is compared. If an important value is missing, `inspect` reports a finding. */
export type InspectContext = {
  /** Origin of the requesting page, as the browser reports it: `https://shop.example`. Never take it from the message. */
  origin?: string | undefined
  /** The account that the wallet would sign with. */
  address?: Address | undefined
  /** The wallet's chain. */
  chainId?: number | undefined
  /** Contracts, shops and their receivers that the wallet or its user trusts (PROTOCOL.md 3.2). */
  pinned?: readonly InspectPins[] | undefined
  /** The purchase that the page disclosed: `disclosedIntentOf(request)`. An intent of another version counts as absent. */
  intent?: DisclosedIntent | undefined
  /** Names of addresses that the wallet or its user knows, by address. An unlimited approval for an unknown address is refused. */
  known?: Readonly<Record<Address, string>> | undefined
  /** Maximum that one request may take from credits, in US cents. The same maximum applies to USDC. */
  maxCents?: number | undefined
  /** Credit permits that this wallet has already signed. */
  signedPermits?: readonly SignedPermit[] | undefined
  /** Returns milliseconds since 1970. Default `Date.now`. */
  now?: Clock | undefined
}

/**
 * A shop that the wallet or its user trusts on one chain. A redeem is `ok` only if a single entry names its contract, chain, credit seed,
 * merchant, receiver and page.
 */
export type InspectPins = RedeemPins & {
  /** The chain of the contract. On other chains, the same address can hold a different contract. */
  chainId: number
  /** Id of the merchant, from which order keys are computed. */
  merchantId?: string | undefined
  /** Addresses that a purchase at this shop may pay or call. */
  receivers?: readonly Address[] | undefined
  /** Origins of the shop's pages: `https://shop.example`. */
  origins?: readonly string[] | undefined
  /** Display name of the shop. Default: its `merchantId`. */
  name?: string | undefined
  /** A test token that replaces the chain's known USDC. */
  usdc?: UsdcTokenOverride | undefined
}

/** A credit permit that the wallet signed. */
export type SignedPermit = {
  nonce: Hex
  /** The chain of the permit. If absent, the permit may be for any chain. */
  chainId?: number | undefined
  /** Whether the permit's order was redeemed or cancelled. */
  isUsed?: boolean | undefined
}

type Check = (value: unknown, field: string) => unknown
type Checks<options> = { readonly [name in keyof options]-?: Check }

// `centsToAmount` throws for anything that is not a valid number of cents
const checkCents: Check = (value, field) => centsToAmount(value as number, { field })

const each =
  (check: Check): Check =>
  (value, field) => {
    // anything that is not an array must fail here: a string would be checked character by character
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
  // any text: the origin of a sandboxed page is "null", which is not a URL
  origin: checkText,
  address: checkAddress,
  chainId: checkChainId,
  pinned: each((value, field) => checkEach(checkRecord(value, field), pinChecks, field)),
  // not checked here: the intent comes from the page, so an error in it becomes a finding
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

/** Checks a context, fixes its time and parses its intent. Throws for an unknown field, which `inspect` could not compare. */
export function readInspectContext(context: InspectContext): ReadContext {
  checkEach(checkRecord(context, 'context'), contextChecks, '')
  const time = readClock(context.now)
  return { ...context, ...readIntent(context.intent), now: () => time }
}

export type ReadContext = InspectContext & {
  intentError?: BaseError | undefined
  /** Looks up tokens other than the chain's USDC. */
  tokenOf?: ((token: string, chainId: number) => KnownToken | undefined) | undefined
  /** Describes calls to contracts that exist on one chain only, such as Tempo's precompiles. */
  describeOwn?: ((call: Call, chainId: number) => DescribedCall | undefined) | undefined
}

export type Call = { from: string; to: Address; data: Hex; value: bigint }

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
  try {
    return { intent: intent === undefined ? undefined : readDisclosedIntent(intent) }
  } catch (error) {
    return { intent: undefined, intentError: intentErrorOf(error) }
  }
}

// reading a proxy can throw any value
const intentErrorOf = (error: unknown) =>
  error instanceof BaseError ? error : new InvalidRecordError('The intent is not plain data.')

/**
 * Adds an error in a request's third parameter to the context, so that `inspect` reports it. The intent itself always comes from the
 * context, because the wallet decides whether to accept an intent.
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

/** Checks that an origin is written as browsers write it. In any other form it would never equal the origin of a request. */
function checkOrigin(value: unknown, field: string): void {
  const text = checkText(value, field)
  if (parseUrl(text)?.origin === text) return
  throw new InvalidOptionError(`${field} is not an origin.`, {
    field,
    fix: 'Pass scheme, host and port as a browser writes them, such as https://shop.example.',
  })
}

/**
 * The caller's trusted values for one chain, from its own code or configuration, never from the service. A permit with other values is
 * refused (PROTOCOL.md 3.2).
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
  /** The contract that receives the USDC of `decent` redeems. Default: read from the pinned credits contract. */
  bridgeAdapter?: Address | undefined
  /** Earlier credits contracts of this chain, in which an order may have been paid. */
  formerContracts?: readonly Address[] | undefined
  /** Factories that may deploy a smart account before its first redeem (ERC-6492), in addition to those of widely used smart accounts. */
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

import type { Address, Hex } from 'viem'
import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { type Clock, type InvalidClockError, readClock } from '../../core/time/clock.ts'
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
import type { RedeemRequest } from './redeemIntent.ts'

/** Expected values of a request. Every given value is compared; an important value that is missing is a finding. */
export type InspectOptions = {
  /** The account that is asked to sign. */
  address?: Address | undefined
  /** The wallet's chain. */
  chainId?: number | undefined
  /** What the caller trusts (PROTOCOL.md 3.2): the pins of a redeem. */
  pinned?: RedeemPins | undefined
  /**
   * What the request should pay for: amounts, receiver and nonce are recomputed from it. Without `orderKey`, the one in the
   * nonce counts. The salt may be left out only with the pin `intentBound: false`.
   */
  intent?: { request: RedeemRequest; salt?: Hex | undefined; orderKey?: Hex | undefined } | undefined
  /** The most that one request may take, in US cents. It replaces an intent when the receiver is pinned. */
  mostCents?: number | undefined
  /** Whom a USDC authorization outside of a redeem may pay. In a redeem it is the pinned credits contract. */
  receiver?: Address | undefined
  /** Takes permits whose nonce is not bound to an intent. Default false. */
  allowRandomNonce?: boolean | undefined
  /** Hosts, with port where there is one, that may ask to sign in. */
  domains?: readonly string[] | undefined
  /** Names of addresses that the wallet or its user knows, by address. An unlimited approval for another one is refused. */
  known?: Readonly<Record<Address, string>> | undefined
  /** Another USDC than the chain's pinned one: its address, EIP-712 name and version. */
  token?: UsdcTokenOverride | undefined
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: Clock | undefined
}

type Check = (value: unknown, field: string) => unknown
type Checks<options> = { readonly [name in keyof options]-?: Check }

// It refuses everything that is not a number.
const checkCents: Check = (value, field) => centsToAmount(value as number, { field })

const pinChecks: Checks<RedeemPins> = {
  creditsContract: checkNonZeroAddress,
  creditSeed: checkText,
  chainId: checkChainId,
  domainName: checkText,
  domainVersion: checkText,
  bridgeAdapter: checkNonZeroAddress,
  formerContracts: checkAddresses,
  maxGasFeeCents: checkCents,
  intentBound: checkBoolean,
  usdcAuthorizationType: checkText,
}

const optionChecks: Checks<InspectOptions> = {
  address: checkAddress,
  chainId: checkChainId,
  pinned: (value, field) => checkEach(checkRecord(value, field), pinChecks, field),
  intent: checkIntent,
  mostCents: checkCents,
  receiver: checkNonZeroAddress,
  allowRandomNonce: checkBoolean,
  domains: (value, field) => {
    // a text would be read letter by letter, anything else would break later
    for (const host of Array.isArray(value) ? value : [undefined]) checkText(host, field)
  },
  known: (value, field) => {
    for (const [address, name] of Object.entries(checkRecord(value, field))) {
      checkAddress(address, field)
      checkText(name, field)
    }
  },
  token: (value, field) => {
    checkKeys(value, field, { required: ['address', 'name'], optional: ['version'] })
    checkEach(
      checkRecord(value, field),
      { address: checkNonZeroAddress, name: checkText, version: checkText },
      field,
    )
  },
  // a clock is read where the time is needed
  now: () => undefined,
}

/**
 * Refuses options that would not be compared: misspelt ones, and values of another type. A guard that is misspelt guards
 * nothing.
 *
 * @returns the options with one reading of the clock
 * @throws UnknownFieldError, MissingFieldError, InvalidRecordError and the errors of the single values
 */
export function readInspectOptions(options: InspectOptions): InspectOptions {
  checkEach(checkRecord(options, 'options'), optionChecks, '')
  if (options.pinned?.intentBound !== false && options.intent !== undefined)
    checkKeys(options.intent, 'intent', { required: ['request', 'salt'], optional: ['orderKey'] })
  const time = readClock(options.now)
  return { ...options, now: () => time }
}

export declare namespace readInspectOptions {
  type ErrorType =
    | checkKeys.ErrorType
    | InvalidAddressError
    | InvalidAmountError
    | InvalidChainIdError
    | InvalidClockError
    | InvalidFlagError
    | InvalidHexError
    | InvalidTextError
}

function checkEach(record: Record<string, unknown>, checks: Record<string, Check>, field: string): void {
  checkKeys(record, field, { required: [], optional: Object.keys(checks) })
  for (const [name, check] of Object.entries(checks))
    if (record[name] !== undefined) check(record[name], field === '' ? name : `${field}.${name}`)
}

function checkAddresses(value: unknown, field: string): void {
  for (const address of Array.isArray(value) ? value : [undefined]) checkNonZeroAddress(address, field)
}

/** The layout of an intent. Its amounts are computed where they are compared. */
function checkIntent(value: unknown, field: string): void {
  const { request, salt, orderKey } = checkKeys(value, field, {
    required: ['request'],
    optional: ['salt', 'orderKey'],
  })
  if (salt !== undefined) checkHex(salt, `${field}.salt`, { bytes: 32 })
  if (orderKey !== undefined) checkHex(orderKey, `${field}.orderKey`, { bytes: 12 })
  const at = `${field}.request`
  const { subtotal, usdcAmount } = checkKeys(request, at, {
    required: ['subtotal', 'transactionData'],
    optional: ['usdcAmount', 'chargebackProtectionData'],
  })
  const price = checkRecord(subtotal, `${at}.subtotal`)
  if (price.cents === undefined) {
    checkKeys(price, `${at}.subtotal`, { required: ['address', 'amount'], optional: ['decimals'] })
    checkAddress(price.address, `${at}.subtotal.address`)
  } else checkKeys(price, `${at}.subtotal`, { required: ['cents'], optional: ['currency'] })
  if (usdcAmount !== undefined) checkKeys(usdcAmount, `${at}.usdcAmount`, { required: ['cents'] })
}

/**
 * What the caller trusts on one chain. It comes from the caller's own code or configuration, never from the service:
 * values that are not pinned are refused (PROTOCOL.md 3.2).
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
  /** The highest gas fee to accept, in US cents. Default 100. */
  maxGasFeeCents?: number | undefined
  /**
   * Whether a permit's nonce commits to what it pays for (PROTOCOL.md 4). Default true. `false` is for services that know no
   * such nonces (PROTOCOL.md 4.4): their relayer is trusted to pay for the request and nothing else, up to the permit's amount.
   */
  intentBound?: boolean | undefined
  /**
   * Authorization type that a service with `intentBound: false` accepts, if its response does not name one. Default
   * `ReceiveWithAuthorization`, which only the credits contract can execute.
   */
  usdcAuthorizationType?: 'ReceiveWithAuthorization' | 'TransferWithAuthorization' | undefined
}

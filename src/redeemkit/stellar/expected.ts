import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { InvalidAmountError } from '../core/amount.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { InvalidAddressError, InvalidTransactionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { RefusedTransactionError } from '../core/errors/transactionErrors.ts'
import type { Invocation } from './envelope/authEntry.ts'
import type { StellarMemo } from './envelope/envelope.ts'
import type { StellarNetwork } from './networks.ts'
import { Address, Asset, nativeToScVal, Operation, StrKey, xdr } from './sdk.ts'
import { checkAddress } from './values.ts'

/** A USDC payment: a classic operation, or `transfer` of USDC's contract. */
export type ExpectedPayment = {
  kind: 'payment'
  /** The receiver: `G…`, `C…`, or a muxed account `M…` (SEP-23). */
  to: string
  /** Raw units of 7 decimals: 1 USDC is `10_000_000n`. */
  amount: bigint
}

/** A call to a merchant contract, and the USDC that the call may take from the customer. */
export type ExpectedCall = {
  kind: 'call'
  /** The contract, `C…`. */
  contract: string
  functionName: string
  /** The arguments: SDK values, or base64 XDR of each. */
  args: readonly (Xdr.ScVal | string)[]
  /** The single USDC transfer from the customer inside the call. Absent: the call takes nothing. */
  spends?: { to: string; amount: bigint } | undefined
}

/** The exact content of a transaction. Any additional content is refused. */
export type ExpectedTransaction = (ExpectedPayment | ExpectedCall) & {
  /** The customer, who pays or authorizes. */
  from: string
  /** The account that pays the network fee, never the customer. Absent: the customer pays. */
  sponsor?: string | undefined
  /**
   * How the sponsor pays the fee. `source`, the default: the sponsor is the transaction's source, so the customer never
   * pays a fee. `feeBump`: the customer is the source and signs first; if the sponsor never wraps the transaction in a
   * fee bump, the customer pays the fee.
   */
  sponsorAs?: 'source' | 'feeBump' | undefined
  /** Text of at most 28 bytes, such as a payment ID; or a numeric ID or a hash, as exchanges use them. Absent: no memo. */
  memo?: StellarMemo | undefined
}

/**
 * The account of a customer without XLM. The sponsor pays for its USDC trustline, and creates the account if it does not exist
 * (CAP-33).
 */
export type ExpectedAccount = Pick<ExpectedTransaction, 'from' | 'memo' | 'sponsorAs'> & {
  kind: 'account'
  /** Whether the transaction also creates the account. */
  creates: boolean
  /** The account that pays the network fee and the reserves. */
  sponsor: string
}

export type Expectation = ExpectedTransaction | ExpectedAccount

/** Returns the call that the customer authorizes, with the USDC transfer inside it; undefined for kind `account`, which needs no call. */
export function expectedInvocation(expected: Expectation, network: StellarNetwork): Invocation | undefined {
  checkExpected(expected)
  const { from, sponsor } = expected
  checkAddress(from, 'from')
  if (sponsor !== undefined || expected.kind === 'account') checkAddress(sponsor, 'sponsor')
  // If the customer were the sponsor, a request could make the sponsor pay with its own USDC.
  if (from === sponsor)
    throw new WrongPartyError(`${from} would sponsor itself.`, {
      field: 'sponsor',
      fix: 'Pass another account as the sponsor, or omit it.',
    })
  if (expected.kind === 'account') return undefined
  const transfer = (to: string, amount: bigint): Invocation => ({
    contract: network.usdc.contract,
    functionName: 'transfer',
    args: [
      Address.fromString(from).toScVal(),
      Address.fromString(to).toScVal(),
      nativeToScVal(checkAmount(amount), { type: 'i128' }),
    ].map((arg) => arg.toXDR('base64')),
    subInvocations: [],
  })
  if (expected.kind === 'payment') {
    const { to, amount } = expected
    return transfer(StrKey.isValidMed25519PublicKey(to) ? to : checkRecipient(to), amount)
  }
  checkCall(expected)
  const { contract, functionName, args, spends } = expected
  return {
    contract,
    functionName,
    args: (args ?? []).map(formatArgument),
    subInvocations: spends === undefined ? [] : [transfer(checkRecipient(spends?.to), spends?.amount)],
  }
}

export declare namespace expectedInvocation {
  type ErrorType =
    | MissingExpectationError
    | InvalidAddressError
    | InvalidAmountError
    | InvalidTransactionError
    | WrongPartyError
}

function checkCall({ contract, functionName, args }: ExpectedCall): void {
  const isNamed = typeof functionName === 'string' && functionName !== ''
  if (!isNamed || (args !== undefined && !Array.isArray(args)))
    throw new InvalidTransactionError(
      isNamed ? 'args is not a list.' : `${showValue(functionName)} is not a function name.`,
      {
        field: isNamed ? 'args' : 'functionName',
        fix: 'Pass the name of the function and a list of arguments.',
      },
    )
  if (!StrKey.isValidContract(contract))
    throw new InvalidAddressError(`${showValue(contract, 60)} is not the address of a contract.`, {
      field: 'contract',
      fix: 'Use the 56 characters that begin with C.',
    })
}

function formatArgument(arg: Xdr.ScVal | string, index: number): string {
  try {
    const text = typeof arg === 'string' ? arg : arg.toXDR('base64')
    if (xdr.ScVal.fromXDR(text, 'base64').toXDR('base64') === text) return text
  } catch {
    // The argument is not XDR; the error below says so.
  }
  throw new InvalidTransactionError(`${showValue(arg)} is not a contract value.`, {
    field: `args[${index}]`,
    fix: 'Pass an ScVal of the SDK, or the base64 XDR of one.',
  })
}

function checkRecipient(to: string): string {
  return StrKey.isValidContract(to) ? to : checkAddress(to, 'to')
}

/** Begins sponsoring reserves, creates an empty account if it does not exist, creates the trustline, ends sponsoring (CAP-33). */
export function accountOperations(
  { from, sponsor, creates }: { from: string; sponsor: string; creates: boolean },
  { usdc }: StellarNetwork,
): Xdr.Operation[] {
  const byCustomer = { source: from }
  return [
    Operation.beginSponsoringFutureReserves({ sponsoredId: from, source: sponsor }),
    ...(creates
      ? [Operation.createAccount({ destination: from, startingBalance: '0', source: sponsor })]
      : []),
    Operation.changeTrust({ asset: new Asset(usdc.code, usdc.issuer), ...byCustomer }),
    Operation.endSponsoringFutureReserves(byCustomer),
  ]
}

/** Accepts positive amounts of at most 63 bits. */
export function checkAmount(amount: bigint): bigint {
  if (typeof amount === 'bigint' && amount > 0n && amount < 1n << 63n) return amount
  throw new InvalidAmountError(`${showValue(amount)} is not an amount on Stellar.`, {
    field: 'amount',
    fix: 'Pass raw units as a bigint, 1n to 2^63 - 1: 1 USDC is 10_000_000n.',
  })
}

export function checkExpected(expected: unknown): void {
  const { kind } = Object(expected)
  if (!['payment', 'call', 'account'].includes(kind))
    throw new MissingExpectationError(`The expectation is missing: expected is ${showValue(expected)}.`, {
      field: 'expected',
      fix: "Pass the expected transaction: { kind: 'payment', 'call' or 'account', from, … }.",
    })
}

/** The caller passed a request to sign without an expectation. */
export class MissingExpectationError extends BaseError {
  override readonly name = 'MissingExpectationError'
}

/** The transaction was signed or requested for another network. */
export class WrongTransactionNetworkError extends RefusedTransactionError {
  override readonly name = 'WrongTransactionNetworkError'
}

/** The asset, issuer or contract is not the network's USDC. */
export class WrongAssetError extends RefusedTransactionError {
  override readonly name = 'WrongAssetError'
}

/** The source, destination, sponsor or customer is not the expected one. */
export class WrongPartyError extends RefusedTransactionError {
  override readonly name = 'WrongPartyError'
}

/** The transaction's time bounds or the authorization's last ledger have passed. */
export class ExpiredTransactionError extends RefusedTransactionError {
  override readonly name = 'ExpiredTransactionError'
}

/** An operation, authorization or call is extra. */
export class ExtraOperationError extends RefusedTransactionError {
  override readonly name = 'ExtraOperationError'
}

/** The contract, function or arguments are not the expected ones. */
export class WrongCallError extends RefusedTransactionError {
  override readonly name = 'WrongCallError'
}

/** A signature was made by another key, over other content, or for another network. */
export class ForeignSignatureError extends RefusedTransactionError {
  override readonly name = 'ForeignSignatureError'
}

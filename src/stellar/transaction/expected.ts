import { Address, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk'
import { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { StellarNetwork } from '../networks.ts'
import { checkAddress, InvalidAddressError } from '../signer/checkAddress.ts'
import type { StellarMemo } from './memo.ts'
import { InvalidTransactionError } from './parseTransaction.ts'

/** A USDC payment, as a classic operation or as `transfer` of USDC's contract. */
export type ExpectedPayment = {
  kind: 'payment'
  /** `G…`, `C…`, or `M…`, the address of an account with a number in it (SEP-23). */
  to: string
  /** Raw units of 7 decimals: 1 USDC is `10_000_000n`. */
  amount: bigint
}

/** A call of a merchant contract, and the USDC that it may take from the customer. */
export type ExpectedCall = {
  kind: 'call'
  /** `C…` */
  contract: string
  functionName: string
  /** The arguments, as values of the SDK or as base64 XDR of each. */
  args: readonly (xdr.ScVal | string)[]
  /** The one USDC transfer from the customer inside the call. Absent: the call takes nothing. */
  spends?: { to: string; amount: bigint } | undefined
}

/** What a transaction must do: this and nothing else. */
export type ExpectedTransaction = (ExpectedPayment | ExpectedCall) & {
  /** The customer, whose money or authorization it is. */
  from: string
  /** Who pays the network fee. Absent: the customer. */
  sponsor?: string | undefined
  /**
   * How the sponsor pays. `source`, the default: as the transaction's source, so that the customer cannot be made to pay.
   * `feeBump`: the customer is the source and signs first; should the sponsor never wrap it, the customer pays the fee.
   */
  sponsorAs?: 'source' | 'feeBump' | undefined
  /** Text of at most 28 bytes, such as a payment id; or an id or a hash, as exchanges give them. Absent: no memo. */
  memo?: StellarMemo | undefined
}

/** An authorized call with the calls inside it, reduced to text that can be compared. */
export type Invocation = {
  /** `C…`; empty when a contract would be created. */
  contract: string
  functionName: string
  /** Base64 XDR of each argument. */
  args: readonly string[]
  subInvocations: readonly Invocation[]
}

/**
 * The call that the customer authorizes, with the USDC transfer inside it.
 *
 * @throws `InvalidAddressError`, `InvalidAmountError`, `InvalidTransactionError` for an argument that is none
 */
export function expectedInvocation(expected: ExpectedTransaction, network: StellarNetwork): Invocation {
  checkExpected(expected)
  checkAddress(expected.from, 'from')
  if (expected.sponsor !== undefined) checkAddress(expected.sponsor, 'sponsor')
  const transfer = (to: string, amount: bigint): Invocation => ({
    contract: network.usdc.contract,
    functionName: 'transfer',
    args: [
      Address.fromString(expected.from).toScVal(),
      Address.fromString(to).toScVal(),
      nativeToScVal(checkAmount(amount), { type: 'i128' }),
    ].map((arg) => arg.toXDR('base64')),
    subInvocations: [],
  })
  if (expected.kind === 'payment')
    return transfer(checkRecipient(expected.to, { muxed: true }), expected.amount)
  const { contract, functionName, args, spends } = expected
  if (typeof functionName !== 'string' || functionName === '' || (args !== undefined && !Array.isArray(args)))
    throw new InvalidTransactionError(
      `No contract has a function ${showValue(functionName)} with such arguments.`,
      {
        field: typeof functionName === 'string' && functionName !== '' ? 'args' : 'functionName',
        fix: 'Name the function, and give its arguments as a list.',
      },
    )
  if (!StrKey.isValidContract(contract))
    throw new InvalidAddressError(`${showValue(contract, 60)} is not the address of a contract.`, {
      field: 'contract',
      fix: 'Use the 56 characters that begin with C.',
    })
  return {
    contract,
    functionName,
    args: (args ?? []).map(formatArgument),
    subInvocations: spends === undefined ? [] : [transfer(checkRecipient(spends?.to), spends?.amount)],
  }
}

/**
 * Somebody has to have said what a transaction is for.
 *
 * @throws {@link MissingExpectationError}
 */
export function checkExpected(expected: unknown): void {
  const { kind } = Object(expected)
  if (kind !== 'payment' && kind !== 'call')
    throw new MissingExpectationError(
      `Nobody has said what it has to do: expected is ${showValue(expected)}.`,
      {
        field: 'expected',
        fix: "Give the payment or call that was asked for: { kind: 'payment', from, to, amount } or { kind: 'call', … }.",
      },
    )
}

/** A positive amount that fits into Stellar's 63 bits. */
export function checkAmount(amount: bigint): bigint {
  if (typeof amount === 'bigint' && amount > 0n && amount < 1n << 63n) return amount
  throw new InvalidAmountError(`${showValue(amount)} is not an amount on Stellar.`, {
    field: 'amount',
    fix: 'Give raw units of 7 decimals as a bigint between 1n and 2^63 - 1: 1 USDC is 10_000_000n.',
  })
}

/** Reads an authorized call out of XDR. */
export function parseInvocation(authorized: xdr.SorobanAuthorizedInvocation): Invocation {
  const authorizedFunction = authorized.function()
  const isCall = authorizedFunction.switch().name === 'sorobanAuthorizedFunctionTypeContractFn'
  return {
    ...(isCall
      ? parseCall(authorizedFunction.contractFn())
      : { contract: '', functionName: authorizedFunction.switch().name, args: [] }),
    subInvocations: authorized.subInvocations().map(parseInvocation),
  }
}

/** Reads a call out of XDR. */
export function parseCall(call: xdr.InvokeContractArgs): Invocation {
  return {
    contract: Address.fromScAddress(call.contractAddress()).toString(),
    functionName: call.functionName().toString(),
    args: call.args().map((arg) => arg.toXDR('base64')),
    subInvocations: [],
  }
}

function formatArgument(arg: xdr.ScVal | string, index: number): string {
  try {
    const text = typeof arg === 'string' ? arg : arg.toXDR('base64')
    if (xdr.ScVal.fromXDR(text, 'base64').toXDR('base64') === text) return text
  } catch {}
  throw new InvalidTransactionError(`${showValue(arg)} is no value for a contract.`, {
    field: `args[${index}]`,
    fix: 'Give an ScVal of the SDK, or the base64 XDR of one.',
  })
}

/** A receiver: an account, a contract, or, where the classic payment takes it, an account with an exchange's number in it. */
function checkRecipient(to: string, options: { muxed?: boolean } = {}): string {
  const isOther =
    StrKey.isValidContract(to) || (options.muxed === true && StrKey.isValidMed25519PublicKey(to))
  return isOther ? to : checkAddress(to, 'to')
}

/** A signature asked for without saying what it is for. */
export class MissingExpectationError extends BaseError {
  override readonly name = 'MissingExpectationError'
}

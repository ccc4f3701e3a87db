import { Address, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { InvalidAddressError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { Invocation } from '../envelope/parseInvocation.ts'
import type { StellarNetwork } from '../networks.ts'
import { checkAddress } from '../signer/checkAddress.ts'
import { checkAmount } from './checkAmount.ts'
import { checkExpected, type MissingExpectationError } from './checkExpected.ts'
import type { Expectation, ExpectedCall } from './expectedTransaction.ts'

/**
 * The call that the customer authorizes, with the USDC transfer inside it; undefined for an account, which needs none.
 *
 * @throws `MissingExpectationError`, `InvalidAddressError`, `InvalidAmountError`, `InvalidTransactionError` for an argument that is none
 */
export function expectedInvocation(expected: Expectation, network: StellarNetwork): Invocation | undefined {
  checkExpected(expected)
  const { from, sponsor } = expected
  checkAddress(from, 'from')
  if (sponsor !== undefined || expected.kind === 'account') checkAddress(sponsor, 'sponsor')
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
}

function checkCall({ contract, functionName, args }: ExpectedCall): void {
  const isNamed = typeof functionName === 'string' && functionName !== ''
  if (!isNamed || (args !== undefined && !Array.isArray(args)))
    throw new InvalidTransactionError(
      `No contract has a function ${showValue(functionName)} with such arguments.`,
      {
        field: isNamed ? 'args' : 'functionName',
        fix: 'Name the function, and give its arguments as a list.',
      },
    )
  if (!StrKey.isValidContract(contract))
    throw new InvalidAddressError(`${showValue(contract, 60)} is not the address of a contract.`, {
      field: 'contract',
      fix: 'Use the 56 characters that begin with C.',
    })
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

/** A receiver inside a call: an account or a contract. */
function checkRecipient(to: string): string {
  return StrKey.isValidContract(to) ? to : checkAddress(to, 'to')
}

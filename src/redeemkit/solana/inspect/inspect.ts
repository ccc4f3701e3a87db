import { type Finding, type Inspection, verdictOf } from '../../core/finding/finding.ts'
import { type AddressLike, parseAddress } from '../address/parseAddress.ts'
import { checkOptions, invalidOption } from '../checkOptions.ts'
import { instructionLayouts } from '../instruction/instructionLayouts.ts'
import { judgeInstruction } from '../instruction/judgeInstruction.ts'
import { readTransaction, type TransactionLike } from '../transaction/readTransaction.ts'
import { readTransactionDetails } from '../transactionDetails/readTransactionDetails.ts'
import type { LookupTable } from '../transactionDetails/resolveAccounts.ts'
import type { TransactionDetails } from '../transactionDetails/transactionDetails.ts'
import type { ExpectedTransfer } from '../usdcTransfer/expectedTransfer.ts'
import { inspectUsdcTransfer } from '../usdcTransfer/inspectUsdcTransfer.ts'
import { inspectMessage } from './inspectMessage.ts'

/**
 * Says what a transaction does, or what a text to sign is (`{ message, wallet, environment, domains }`), and what is wrong with
 * it, before anybody signs.
 *
 * With `expected`, everything that the expected USDC transfer does not need is a danger: one instruction,
 * signer or written account too many, one account swapped. Without it, what costs the wallet something is a
 * warning, and what gives it away, or is not understood, is a danger; since nothing was compared, the verdict is
 * `caution` at best.
 *
 * @returns verdict `refuse` when it must not be signed; `details` with every instruction decoded
 * @throws {@link InvalidTransactionError} {@link InvalidBase64Error} when it is no transaction at all;
 *   {@link InvalidAddressError} {@link InvalidAmountError} {@link UnknownNetworkError}
 *   {@link InvalidOptionError} for a bad expectation; {@link InvalidBase58Error}
 * @example
 * ```ts
 * import { inspect } from 'redeemkit/solana'
 *
 * declare const transaction: string // base64, from the service
 * const { verdict, summary } = inspect({ transaction, wallet: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' })
 * ```
 */
export function inspect(options: inspectMessage.Options): Inspection<inspectMessage.Details>
export function inspect(options: inspect.Options): Inspection<inspect.Details>
export function inspect(
  options: inspect.Options | inspectMessage.Options,
): Inspection<inspect.Details | inspectMessage.Details> {
  const given = checkOptions(options)
  if ('message' in given) {
    if (!('transaction' in given)) return inspectMessage(given)
    throw invalidOption('message', given.message, 'Inspect one thing: a transaction or a message.')
  }
  const { transaction, wallet, expected, lookupTables } = given
  return expected === undefined
    ? inspectTransaction({ transaction, wallet, lookupTables })
    : inspectUsdcTransfer({ transaction, wallet, expected, lookupTables })
}

export declare namespace inspect {
  type Options = {
    /**
     * Wire bytes, their base64 text, or a web3.js object. Signatures may be missing; those that are there
     * must be right.
     */
    transaction: TransactionLike
    /** Who is asked to sign. */
    wallet: AddressLike
    /** The transfer that was asked for. Everything else is refused. */
    expected?: ExpectedTransfer | undefined
    /** The lookup tables that the transaction names. One that is not given is refused. */
    lookupTables?: readonly LookupTable[] | undefined
  }
  type Details = TransactionDetails
  type ErrorType = inspectUsdcTransfer.ErrorType | inspectMessage.ErrorType
}

function inspectTransaction(options: Omit<inspect.Options, 'expected'>): Inspection<TransactionDetails> {
  const { details, findings } = readTransactionDetails(readTransaction(options.transaction), {
    layouts: instructionLayouts,
    lookupTables: options.lookupTables,
  })
  const wallet = parseAddress(options.wallet, { field: 'wallet' })
  const judged = details.instructions.map((instruction) => judgeInstruction(instruction, wallet))
  const fee: Finding = {
    severity: 'warning',
    code: 'CUSTOMER_PAYS_FEE',
    message: `The wallet pays the fee of ${details.feeLamports} lamports.`,
  }
  const uncompared: Finding = {
    severity: 'warning',
    code: 'NOT_COMPARED',
    message: 'Nothing was expected, so nothing was compared.',
    field: 'expected',
    fix: 'Give the transfer that was asked for.',
  }
  if (details.feePayer === wallet) findings.push(fee)
  findings.push(
    ...judged.map((finding, index) => ({ ...finding, field: `instructions[${index}]` })),
    uncompared,
  )
  const summary = `A transaction that does this: ${judged.map(({ message }) => message).join('; ')}.`
  return { kind: 'solanaTransaction', summary, verdict: verdictOf(findings), findings, details }
}

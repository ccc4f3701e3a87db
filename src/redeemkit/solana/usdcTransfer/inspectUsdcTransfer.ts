import { quoteText } from '../../core/errors/showText.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import { type Effect, unexpectedTitle } from '../../core/inspection/effect.ts'
import type { Inspection } from '../../core/inspection/inspection.ts'
import {
  addressValue,
  dangersOf,
  line,
  sentence,
  textValue,
  tokenValue,
} from '../../core/inspection/values.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { instructionLayouts } from '../instruction/instructionLayouts.ts'
import { usdcDecimals } from '../networks.ts'
import {
  type ParsedTransaction,
  readTransaction,
  type TransactionLike,
} from '../transaction/parseTransaction.ts'
import type { LookupTable, TransactionDetails } from '../transaction/transactionDetails.ts'
import { readTransactionDetails } from '../transaction/transactionDetails.ts'
import { checkUsdcTransfer } from './checkUsdcTransfer.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'
import { transferTerms } from './transferInstructions.ts'

/** Describes a transaction, and checks whether it is exactly the expected USDC transfer. */
export function inspectUsdcTransfer(options: inspectUsdcTransfer.Options): Inspection<TransactionDetails> {
  const { transaction, expected, lookupTables, describe } = options
  const parsed = readTransaction(transaction)
  const read = readTransactionDetails(parsed, { layouts: instructionLayouts, lookupTables })
  const { details } = read
  const wallet = parseAddress(options.wallet, { field: 'wallet' })
  const findings = [...read.findings, ...checkUsdcTransfer({ details, expected, wallet })]
  const { amount, from, to, mint, network } = transferTerms(expected)
  const { paymentId } = expected
  const values = { amount: tokenValue(amount, 'USDC'), to: addressValue(to) }
  const dangers = dangersOf(findings)
  // The terms of the expected transfer. A refused transaction may have other terms.
  const isExpected = dangers.length === 0
  const direction = wallet === from ? 'out' : 'other'
  const { title, lines } = isExpected
    ? { title: sentence('send', values), lines: [line('amount', values.amount), line('receiver', values.to)] }
    : unexpectedTitle(describe?.(parsed, details) ?? [], dangers)
  return createInspection({
    kind: 'solanaUsdcTransfer',
    title,
    lines: [
      ...lines,
      line('token', addressValue(mint)),
      line('chain', textValue(`Solana ${network.name}`)),
      line('account', addressValue(from)),
      ...(paymentId === undefined ? [] : [line('memo', textValue(quoteText(paymentId, 500)))]),
      line('feePayer', addressValue(details.feePayer)),
    ],
    findings,
    moves: isExpected ? [{ direction, asset: mint, amount, decimals: usdcDecimals, from, to }] : [],
    details,
  })
}

export declare namespace inspectUsdcTransfer {
  type Options = {
    transaction: TransactionLike
    wallet: AddressLike
    expected: ExpectedTransfer
    lookupTables?: readonly LookupTable[] | undefined
    /** Describes the instructions, for the title of a transaction that is not the expected one. */
    describe?: ((parsed: ParsedTransaction, details: TransactionDetails) => readonly Effect[]) | undefined
  }
  type ErrorType = transferTerms.ErrorType | readTransaction.ErrorType | readTransactionDetails.ErrorType
}

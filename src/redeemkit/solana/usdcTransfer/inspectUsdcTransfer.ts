import { formatAmount } from '../../core/amount/formatAmount.ts'
import { createInspection, type Inspection } from '../../core/inspection/inspection.ts'
import { sentence, textValue } from '../../core/inspection/values.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { instructionLayouts } from '../instruction/instructionLayouts.ts'
import { usdcDecimals } from '../networks.ts'
import { readTransaction, type TransactionLike } from '../transaction/parseTransaction.ts'
import type { LookupTable, TransactionDetails } from '../transaction/transactionDetails.ts'
import { readTransactionDetails } from '../transaction/transactionDetails.ts'
import { checkUsdcTransfer } from './checkUsdcTransfer.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'
import { transferTerms } from './transferInstructions.ts'

/** Says what a transaction does, and whether it is the USDC transfer that was asked for and nothing else. */
export function inspectUsdcTransfer(options: inspectUsdcTransfer.Options): Inspection<TransactionDetails> {
  const { transaction, expected, lookupTables } = options
  const { details, findings } = readTransactionDetails(readTransaction(transaction), {
    layouts: instructionLayouts,
    lookupTables,
  })
  const wallet = parseAddress(options.wallet, { field: 'wallet' })
  findings.push(...checkUsdcTransfer({ details, expected, wallet }))
  const { amount, from, to, network } = transferTerms(expected)
  const { paymentId } = expected
  const summary = `Pay ${formatAmount(amount, { decimals: usdcDecimals })} USDC (${network.name}) from ${from} to ${to}${
    paymentId === undefined ? '' : `, payment id ${JSON.stringify(paymentId)}`
  }. ${details.feePayer} pays the fees.`
  return createInspection({
    kind: 'solanaUsdcTransfer',
    title: sentence('plain', { text: textValue(summary) }),
    findings,
    details,
  })
}

export declare namespace inspectUsdcTransfer {
  type Options = {
    transaction: TransactionLike
    wallet: AddressLike
    expected: ExpectedTransfer
    lookupTables?: readonly LookupTable[] | undefined
  }
  type ErrorType = checkUsdcTransfer.ErrorType | readTransaction.ErrorType | readTransactionDetails.ErrorType
}

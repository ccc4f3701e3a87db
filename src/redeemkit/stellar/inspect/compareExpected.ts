import { showText } from '../../core/errors/showText.ts'
import { formatMemo } from '../envelope/formatMemo.ts'
import { toMemo } from '../envelope/toMemo.ts'
import type { Expectation } from '../expected/expectedTransaction.ts'
import { compareCall } from './compareInvocation.ts'
import {
  compare,
  type InspectedOperation,
  type InspectionContext,
  type TransactionDetails,
} from './context.ts'

/** Holds a transaction against the one thing that it may do: who takes part, who pays, what happens. */
export function compareExpected(
  details: TransactionDetails,
  expected: Expectation,
  context: InspectionContext,
): void {
  const [operation] = details.operations
  compareParties(details, expected, context)
  const memo = formatMemo(toMemo(expected.memo))
  compare(context, 'WRONG_MEMO', 'memo', quote(details.memo), quote(memo), details.memo === memo)
  if (operation === undefined || expected.kind === 'account') return
  compareOperation(operation, expected, context)
  if (operation.call === undefined) return
  // The network takes no memo beside a call.
  compare(context, 'WRONG_MEMO', 'memo', quote(details.memo), 'none')
  compareAuthorizations(details, operation, expected, context)
}

/** A memo is somebody's text, which cannot end its quotation. */
const quote = (memo: string | undefined) => (memo === undefined ? 'none' : showText(memo, 120))

/** The accounts are the customer's and the sponsor's, and the one who was to pay the fee pays it. */
function compareParties(
  { source, feeSource, operations }: TransactionDetails,
  { from, sponsor, sponsorAs }: Expectation,
  context: InspectionContext,
): void {
  const payer = feeSource ?? source
  for (const [field, account] of [
    ['address', context.address],
    ['source', source],
    ['feeSource', payer],
    ['operation.source', operations[0]?.source ?? source],
  ] as const)
    compare(context, 'WRONG_ACCOUNT', field, account, sponsor ?? from, [from, sponsor].includes(account))
  if (sponsor === undefined || sponsor === from || payer === sponsor) return
  const mayBeWrapped = sponsorAs === 'feeBump' && feeSource === undefined
  context.findings.push({
    severity: mayBeWrapped ? 'warning' : 'danger',
    code: 'CUSTOMER_PAYS_FEE',
    message: `${payer} pays the fee${mayBeWrapped ? `, unless ${sponsor} puts a fee bump around it` : `, not ${sponsor}`}.`,
    field: 'source',
    ...(!mayBeWrapped && {
      fix: 'Do not sign it, or say sponsorAs when the sponsor puts a fee bump around it.',
    }),
  })
}

function compareOperation(
  { type, source, payment, call }: InspectedOperation,
  expected: Expectation,
  context: InspectionContext,
): void {
  const { code, issuer } = context.network.usdc
  if (payment !== undefined && expected.kind === 'payment') {
    compare(context, 'WRONG_ACCOUNT', 'from', source, expected.from)
    compare(context, 'WRONG_ACCOUNT', 'to', payment.to, expected.to)
    compare(context, 'WRONG_AMOUNT', 'amount', payment.amount, expected.amount)
    compare(context, 'WRONG_ASSET', 'asset', payment.asset, `${code}:${issuer}`)
  } else if (call !== undefined && context.wanted !== undefined)
    compareCall(context, call, context.wanted, 'call')
  else compare(context, 'UNEXPECTED_OPERATION', 'operation.type', type, expected.kind, false)
}

/** A call has the one authorization that it needs, signed where the network looks for it. */
function compareAuthorizations(
  { source, authorizations }: TransactionDetails,
  operation: InspectedOperation,
  expected: Expectation,
  context: InspectionContext,
): void {
  // Such an authorization asks for a signature inside, and such a source for one on the envelope: one of them is left over.
  const isMixed =
    operation.source !== source && authorizations.some((entry) => entry.validUntilLedger !== undefined)
  compare(context, 'WRONG_ACCOUNT', 'operation.source', operation.source, source, !isMixed)
  const mayBeNone = expected.kind === 'call' && expected.spends === undefined
  const count = authorizations.length
  const isRight = count === 1 || (mayBeNone && count === 0)
  compare(context, 'EXTRA_AUTHORIZATION', 'auth.length', count, 1, isRight)
}

import { parseTransaction } from '../../../../redeemkit/stellar/envelope/parseTransaction.ts'
import { findSignature } from '../../../../redeemkit/stellar/envelope/signEnvelope.ts'
import { settleStellarPayment } from '../../../chains/stellar/settleStellarPayment.ts'
import { problem } from '../../http/problem.ts'
import type { Outcome, TransferChain } from '../transferChain.ts'
import { type Facts, parseFacts } from './facts.ts'
import { expired, outcomeOf } from './outcomes.ts'
import { inspectTransfer, looks, type TransferContext } from './transferContext.ts'

/** Inspects what the customer signed, co-signs it, hands the result to `onSigned`, sends it, follows it to its end. */
export async function settleTransfer(
  context: TransferContext,
  transfer: Parameters<TransferChain['settle']>[0],
): Promise<Outcome> {
  const { client, environment, now, sponsors } = context
  const { transaction, onSigned } = transfer
  const facts = parseFacts(transfer.facts)
  const sponsor = sponsors.get(facts.expected.sponsor ?? '')
  if (sponsor === undefined)
    return expired('The account that was to pay the fee is not this service’s any more.')
  const refusal = await findRefusal(context, transaction, facts)
  if (refusal !== undefined) return refusal
  let isSent = false
  try {
    await settleStellarPayment(client, {
      environment,
      sponsor,
      transaction,
      expected: facts.expected,
      now,
      ...looks,
      onSigned: ({ transaction: raw, hash }) => onSigned({ raw, hash }),
      onSent: () => {
        isSent = true
      },
    })
    return { status: 'settled' }
  } catch (error) {
    return outcomeOf(error, isSent)
  }
}

/** Why what came back is not settled; undefined when it may be. */
async function findRefusal(
  context: TransferContext,
  transaction: string,
  facts: Facts,
): Promise<Outcome | undefined> {
  const { sequence } = await context.client.getLatestLedger()
  const { findings } = inspectTransfer(context, transaction, facts, sequence)
  const dangers = findings.filter(({ severity }) => severity === 'danger')
  if (dangers.some(({ code }) => code === 'EXPIRED'))
    return expired('Its time bounds are over: the transaction can never land.')
  const [danger] = dangers
  if (danger?.code === 'FOREIGN_SIGNATURE' || !isSigned(context, transaction, facts)) {
    const words = `The transaction does not carry the signature of ${facts.expected.from} alone. Let the customer sign this very transaction, for ${context.network.name}.`
    return { status: 'refused', problem: problem('INVALID_USDC_AUTHORIZATION', words) }
  }
  if (danger === undefined) return undefined
  const words = dangers.map(({ message }) => message).join(' ')
  return { status: 'refused', problem: problem('INTENT_MISMATCH', words) }
}

/** Whether the customer has signed: the authorization of a call, or else the envelope. */
function isSigned(context: TransferContext, transaction: string, facts: Facts): boolean {
  const { network } = context
  const { from } = facts.expected
  const { authorizations = [], operations = [] } = inspectTransfer(context, transaction, facts).details ?? {}
  if (operations.some(({ call }) => call !== undefined))
    return authorizations.every((entry) => entry.address !== from || entry.isSigned)
  const digest = parseTransaction(transaction, network).transaction.hash()
  return findSignature(transaction, { network, digest, address: from }) !== undefined
}

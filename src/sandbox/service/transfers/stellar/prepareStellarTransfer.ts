import { StrKey } from '@stellar/stellar-sdk'
import { parseTransaction } from '../../../../redeemkit/stellar/envelope/parseTransaction.ts'
import type { ExpectedTransaction } from '../../../../redeemkit/stellar/expected.ts'
import { stellarTransaction } from '../../../../redeemkit/stellar/transaction/stellarTransaction.ts'
import { usdcTransfer } from '../../../../redeemkit/stellar/usdcTransfer/usdcTransfer.ts'
import type { PreparedTransfer, TransferRequest } from '../transferChain.ts'
import { formatFacts } from './facts.ts'
import { amountOf, type TransferContext } from './transferContext.ts'

const validForSeconds = 300

/** Builds what the customer is to sign: a payment, or a call of a merchant contract. */
export async function prepareStellarTransfer(
  context: TransferContext,
  request: TransferRequest,
): Promise<PreparedTransfer> {
  const { network } = context
  const { transaction, expected, validUntilLedger } = await build(context, request)
  const validUntil = Number(parseTransaction(transaction, network).transaction.timeBounds?.maxTime)
  return {
    amount: amountOf(request.cents),
    facts: formatFacts({ transaction, expected }),
    expiresAt: new Date(validUntil * 1000),
    answer: {
      transaction,
      networkPassphrase: network.networkPassphrase,
      validUntil,
      ...(validUntilLedger === undefined ? {} : { validUntilLedger }),
      expected: JSON.parse(formatFacts(expected)),
    },
  }
}

async function build(
  { client, environment, now }: TransferContext,
  request: TransferRequest,
): Promise<usdcTransfer.ReturnType> {
  const { call, paymentId, wallet: from, destination: to, sponsor, cents } = request
  const amount = amountOf(cents)
  const options = { environment, validForSeconds, now }
  if (call === undefined) {
    // A contract call has no memo: the network refuses one beside an authorization.
    const memo = StrKey.isValidContract(to) ? undefined : paymentId
    return usdcTransfer(client, { ...options, from, to, amount, sponsor, memo })
  }
  // A call that takes the amount from the customer and passes it to the destination.
  const expected: ExpectedTransaction = { kind: 'call', from, sponsor, ...call, spends: { to, amount } }
  return { ...(await stellarTransaction(client, { ...options, expected })), expected }
}

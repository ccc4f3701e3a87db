import { randomInt } from 'node:crypto'
import { centsToAmount } from '../../../../redeemkit/core/amount/centsToAmount.ts'
import { prepareUsdcTransfer } from '../../../../redeemkit/solana/usdcTransfer/prepareUsdcTransfer.ts'
import { maxUnits, unitsFor } from '../../../../redeemkit/solana/usdcTransfer/transferInstructions.ts'
import type { Paid, PreparedTransfer, TransferRequest } from '../transferChain.ts'
import { formatFacts } from './facts.ts'
import { refuseFarming } from './refuseFarming.ts'
import type { TransferContext } from './transferContext.ts'

/** A blockhash is good for 150 blocks of 0.4 seconds. */
const blockhashMs = 60_000

/** The random part of the limit: two equal payments at one blockhash would be one transaction, which lands once. */
const randomUnits = 65_536

/** Builds what the customer is to sign. */
export async function prepareSolanaTransfer(
  { connection, environment, sponsor, now }: TransferContext,
  request: TransferRequest & Paid,
): Promise<PreparedTransfer> {
  const { wallet, destination, cents, paymentId, paidCreations } = request
  const transfer = await prepareUsdcTransfer(connection, {
    environment,
    from: wallet,
    to: destination,
    amount: centsToAmount(cents),
    sponsor: sponsor.publicKey,
    paymentId,
    computeUnitLimit: unitsOf(paymentId),
  })
  const paysRent = transfer.rent?.lamports !== '0'
  if (paysRent) refuseFarming(destination, await paidCreations())
  const { transaction, rent, blockhash, lastValidBlockHeight, ...rest } = transfer
  return {
    amount: transfer.amount,
    facts: formatFacts(transfer),
    paysRent,
    expiresAt: new Date(now() + blockhashMs),
    answer: {
      transaction,
      rent,
      blockhash,
      lastValidBlockHeight,
      expected: JSON.parse(formatFacts({ ...rest, rent, blockhash })),
    },
  }
}

function unitsOf(paymentId: string | undefined): number {
  return Math.min(unitsFor(paymentId ?? '', 3), maxUnits - randomUnits) + randomInt(randomUnits)
}

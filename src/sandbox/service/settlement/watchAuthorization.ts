import { isEvmBlockchain } from '../../../core/blockchains.ts'
import { checkAddress } from '../../../evm/values/checkAddress.ts'
import { checkHex } from '../../../evm/values/checkHex.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { landedReturns } from '../../store/tables/index.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'

/**
 * Notes the customer's USDC authorization of a payment that has ended without it: what somebody else lands of it from now on, or has
 * landed already, `returnLanded` gives back.
 */
export async function watchAuthorization(work: DatabaseWork, payment: PaymentRow, at: Date): Promise<void> {
  const { paymentId, blockchain, status, carried } = payment
  const given = carried.customerUsdcTransferData ?? carried.customerUsdcTransferDataV2
  if (given === undefined || blockchain === null || !isEvmBlockchain(blockchain)) return
  if (status !== 'failed' && status !== 'voided' && status !== 'expired') return
  await work
    .insert(landedReturns)
    .values({
      paymentId,
      blockchain,
      from: checkAddress(given.from, 'from'),
      nonce: checkHex(given.nonce, 'nonce', { bytes: 32 }),
      value: BigInt(given.value),
      endsAt: new Date(Math.min(Number(given.validBefore), lastSecond) * 1000),
      status: 'watched',
      createdAt: at,
    })
    .onConflictDoNothing()
}

/** Of the year 9999: more than a database needs to know. */
const lastSecond = 253_402_300_799

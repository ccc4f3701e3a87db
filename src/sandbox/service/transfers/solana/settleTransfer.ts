import { tokenAccountOf } from '../../../../redeemkit/solana/address.ts'
import { formatBase58 } from '../../../../redeemkit/solana/encoding.ts'
import { networkOf } from '../../../../redeemkit/solana/networks.ts'
import { readTransaction } from '../../../../redeemkit/solana/transaction/parseTransaction.ts'
import { readTokenAccount } from '../../../../redeemkit/solana/usdcTransfer/readAccounts.ts'
import type { UsdcTransfer } from '../../../../redeemkit/solana/usdcTransfer/usdcTransfer.ts'
import { settleUsdcTransfer } from '../../../chains/solana/settleUsdcTransfer.ts'
import { keyedLock } from '../../../process/keyedLock.ts'
import type { Outcome, SignedTransfer, TransferChain } from '../transferChain.ts'
import { parseFacts } from './facts.ts'
import { outcomeOf } from './outcomes.ts'
import { refuseFarming } from './refuseFarming.ts'
import { followMs, pollMs, type TransferContext } from './transferContext.ts'

type Transfer = Parameters<TransferChain['settle']>[0]

/** Inspects, co-signs, hands the result to `onSigned`, sends it, follows it to its end. */
export function settleTransfer(context: TransferContext, transfer: Transfer): Promise<Outcome> {
  const expected = parseFacts(transfer.facts)
  const settle = () => settlePrepared(context, { ...transfer, expected })
  if (expected.rent?.lamports === '0') return settle()
  // The next one finds the account of the one before. Always in this order, so that no two wait for each other.
  return oneAtATime(`to ${expected.to}`, () => oneAtATime(`from ${expected.from}`, settle))
}

const oneAtATime = keyedLock()

async function settlePrepared(
  { connection, sponsor }: TransferContext,
  { expected, transaction, onSigned }: Omit<Transfer, 'facts'> & { expected: UsdcTransfer },
): Promise<Outcome> {
  let isSent = false
  try {
    const checkPaid = await findCheck(connection, expected)
    await settleUsdcTransfer(connection, {
      sponsor,
      expected,
      transaction,
      lastValidBlockHeight: expected.lastValidBlockHeight,
      onSigned: ({ transaction: raw }) => onSigned({ raw, hash: signatureOf(raw), checkPaid }),
      onSent: () => {
        isSent = true
      },
      signal: AbortSignal.timeout(followMs),
      pollMs,
    })
    return { status: 'settled' }
  } catch (error) {
    return outcomeOf(error, isSent)
  }
}

/** Many may have been prepared before the first of them was paid for. */
async function findCheck(
  connection: TransferContext['connection'],
  { environment, to, rent }: UsdcTransfer,
): Promise<SignedTransfer['checkPaid']> {
  if (rent?.lamports === '0') return undefined
  const { usdcMint: mint } = networkOf(environment)
  const account = tokenAccountOf({ owner: to, mint })
  if ((await readTokenAccount(connection, account)) !== undefined) return undefined
  return (paid) => refuseFarming(to, paid)
}

function signatureOf(raw: string): string {
  return formatBase58(readTransaction(raw).signatures[0] ?? new Uint8Array())
}

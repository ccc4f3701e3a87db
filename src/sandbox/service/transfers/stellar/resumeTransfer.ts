import { parseTransaction } from '../../../../redeemkit/stellar/envelope/parseTransaction.ts'
import type { ExpectedTransaction } from '../../../../redeemkit/stellar/expected.ts'
import { movedUsdc } from '../../../chains/stellar/movedUsdc.ts'
import type { Outcome } from '../transferChain.ts'
import { parseFacts } from './facts.ts'
import { expired, failed, isFinal, unknown } from './outcomes.ts'
import { looks, type TransferContext } from './transferContext.ts'

/** Sends again what was co-signed and written down, and follows it to its end. */
export async function resumeTransfer(
  context: TransferContext,
  { facts, raw, hash }: { facts: string; raw: string; hash: string },
): Promise<Outcome> {
  const { client, network } = context
  const { expected } = parseFacts(facts)
  const look = () => readOutcome(context, hash, expected)
  const found = await look()
  if (found !== undefined) return found
  const submitted = await client.sendTransaction(parseTransaction(raw, network).transaction)
  if (submitted.status === 'ERROR') {
    const code = submitted.errorResult?.result().switch().name ?? ''
    // It may have landed between the two, in a ledger that the node shows a little later; else a final code is so: nothing makes it valid again.
    await client.pollTransaction(hash, { attempts: 3, sleepStrategy: () => looks.pollIntervalMs })
    const landed = await look()
    if (landed !== undefined) return landed
    return isFinal(code) ? expired(`The ledger does not take it any more: ${code}.`) : unknown()
  }
  await client.pollTransaction(hash, {
    attempts: looks.attempts,
    sleepStrategy: () => looks.pollIntervalMs,
  })
  return (await look()) ?? unknown()
}

/** What the ledger has of it; undefined when it has nothing. */
async function readOutcome(
  { client, network }: TransferContext,
  hash: string,
  expected: ExpectedTransaction,
): Promise<Outcome | undefined> {
  const landed = await client.getTransaction(hash)
  if (landed.status === 'FAILED') return failed(`The transaction ${hash} failed on the ledger.`)
  if (landed.status !== 'SUCCESS') return undefined
  return movedUsdc(landed, { expected, network })
    ? { status: 'settled' }
    : failed(`The transaction ${hash} landed and did not pay.`)
}

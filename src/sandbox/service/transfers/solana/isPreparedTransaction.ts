import { inspect } from '../../../../redeemkit/solana/inspect/inspect.ts'
import type { ParsedTransaction } from '../../../../redeemkit/solana/transaction/parseTransaction.ts'
import { readTransaction } from '../../../../redeemkit/solana/transaction/parseTransaction.ts'
import type { UsdcTransfer } from '../../../../redeemkit/solana/usdcTransfer/usdcTransfer.ts'
import { lighthouseAddress } from '../../../chains/solana/lighthouse/standIn.ts'

/** Whether a transaction is the one that was prepared: signatures aside, and assertions that a wallet has put between. */
export function isPreparedTransaction(transaction: string, prepared: UsdcTransfer): boolean {
  const [given, built] = [readTransaction(transaction), readTransaction(prepared.transaction)]
  if (Buffer.from(given.message).equals(built.message)) return true
  if (withoutAssertions(given) !== withoutAssertions(built)) return false
  // Which assertions, and how many, is for the inspection to say.
  const { findings } = inspect({ transaction, wallet: prepared.from, expected: prepared })
  return findings.every(({ severity }) => severity !== 'danger')
}

/** A message written out by addresses, since an instruction more moves every number in it. */
function withoutAssertions(parsed: ParsedTransaction): string {
  const { version, blockhash, keys, signers, readonlySigners, readonlyOthers, lookups } = parsed
  const written = keys.slice(signers, keys.length - readonlyOthers).sort()
  const instructions = parsed.instructions
    .map(({ program, accounts, data }) => [
      keys[program],
      accounts.map((account) => keys[account]),
      Buffer.from(data).toString('hex'),
    ])
    .filter(([program]) => program !== lighthouseAddress)
  const signing = [keys.slice(0, signers), readonlySigners]
  return JSON.stringify([version, blockhash, signing, written, lookups, instructions])
}

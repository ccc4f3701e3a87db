import { programs } from '../../../../redeemkit/solana/instruction/programs.ts'
import type { ParsedTransaction } from '../../../../redeemkit/solana/transaction/parseTransaction.ts'

const lamportsPerSignature = 5000n
const maxUnits = 1_400_000n

/** Units that an instruction may take when the transaction names no limit (SIMD-0170). */
const unitsOfBuiltin = 3000n
const unitsOfProgram = 200_000n
const builtins: readonly string[] = [
  programs.system,
  programs.computeBudget,
  'Vote111111111111111111111111111111111111111',
]

/** What the chain charges for a message: its signatures, and the price of the units that it may use, rounded up. */
export function feeOfMessage(parsed: ParsedTransaction): bigint {
  const asked = budgetOf(parsed, 2, 4)
  const units =
    asked ??
    parsed.instructions.reduce(
      (sum, { program }) =>
        sum + (builtins.includes(parsed.keys[program] ?? '') ? unitsOfBuiltin : unitsOfProgram),
      0n,
    )
  const limit = units > maxUnits ? maxUnits : units
  return lamportsPerSignature * BigInt(parsed.signers) + (unitPriceOf(parsed) * limit + 999_999n) / 1_000_000n
}

/** What a message pays for a unit, in micro-lamports. */
export function unitPriceOf(parsed: ParsedTransaction): bigint {
  return budgetOf(parsed, 3, 8) ?? 0n
}

/** The number in a compute budget instruction, when there is one. */
function budgetOf(parsed: ParsedTransaction, kind: number, length: number): bigint | undefined {
  const found = parsed.instructions.find(
    ({ program, data }) => parsed.keys[program] === programs.computeBudget && data[0] === kind,
  )
  return found?.data.slice(1, 1 + length).reduceRight((sum: bigint, byte) => (sum << 8n) | BigInt(byte), 0n)
}

import { programs } from '../instruction/programs.ts'
import { usdcDecimals } from '../networks.ts'
import type { Instruction } from '../transaction/encodeMessage.ts'
import type { transferTerms } from './transferTerms.ts'

/** The instructions of a transfer, in the order in which a layout's readers look for them. */
export function transferInstructions(
  options: Omit<ReturnType<typeof transferTerms>, 'network' | 'rent'> & {
    sponsor: string
    memo: Uint8Array | undefined
    memoProgram: string
    layout: 'solanaPay' | 'x402'
    computeUnitLimit: number
    computeUnitPrice: bigint
  },
): Instruction[] {
  const { sponsor, from, to, mint, source, destination, amount, references, memo } = options
  const budget: Instruction[] = [
    { program: programs.computeBudget, accounts: [], data: data(2, [options.computeUnitLimit, 4]) },
    { program: programs.computeBudget, accounts: [], data: data(3, [options.computeUnitPrice, 8]) },
  ]
  const creation: Instruction = {
    program: programs.associatedToken,
    accounts: [
      [sponsor, 'sw'],
      [destination, 'w'],
      [to, ''],
      [mint, ''],
      [programs.system, ''],
      [programs.token, ''],
    ],
    data: data(1),
  }
  const transfer: Instruction = {
    program: programs.token,
    accounts: [
      [source, 'w'],
      [mint, ''],
      [destination, 'w'],
      [from, 's'],
      ...references.map((key) => [key, ''] as const),
    ],
    data: data(12, [amount, 8], [usdcDecimals, 1]),
  }
  const note: Instruction[] =
    memo === undefined ? [] : [{ program: options.memoProgram, accounts: [], data: memo }]
  // Solana Pay looks for the memo right before the transfer, x402 for the transfer right behind the budget.
  return options.layout === 'x402' ? [...budget, transfer, ...note] : [...budget, creation, ...note, transfer]
}

/** Instruction data: its number, then little-endian numbers of so many bytes. */
function data(number: number, ...numbers: (readonly [value: bigint | number, length: number])[]): Uint8Array {
  return Uint8Array.from([
    number,
    ...numbers.flatMap(([value, length]) =>
      Array.from({ length }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n)),
    ),
  ])
}

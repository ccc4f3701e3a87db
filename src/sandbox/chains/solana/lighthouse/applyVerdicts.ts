import type { Clock } from 'litesvm'
import { programs } from '../../../../redeemkit/solana/instruction/programs.ts'
import {
  encodeLength,
  encodeTransaction,
} from '../../../../redeemkit/solana/transaction/encodeTransaction.ts'
import type { ParsedTransaction } from '../../../../redeemkit/solana/transaction/parseTransaction.ts'
import type { Target } from './assertionFields.ts'
import { evaluateAssertions, type Verdict } from './evaluateAssertions.ts'
import { lighthouseAddress, verdictData } from './standIn.ts'

/** A transaction as it is run: with outcomes in place of assertions. */
export type JudgedTransaction = {
  bytes: Uint8Array
  /** One for each of its assertion instructions, in their order. */
  notes: readonly string[]
}

type Instruction = ParsedTransaction['instructions'][number]
type AccountsAfter = (address: string) => Omit<Target, 'isSigner' | 'isWritable'>

/** Whether a transaction calls the Lighthouse program itself. */
export function hasAssertions(parsed: ParsedTransaction): boolean {
  return parsed.instructions.some(({ program }) => parsed.keys[program] === lighthouseAddress)
}

/**
 * Evaluates a transaction's assertions, each against the accounts as the instructions before it leave them,
 * and writes their outcomes where they stood. Signatures stay: they are those of the original.
 *
 * @param options.accounts every account, those of lookup tables included
 * @param options.accountsAfter runs a transaction of fewer instructions, and returns accounts as they are
 *   after it; undefined when it fails
 */
export function applyVerdicts(options: {
  parsed: ParsedTransaction
  accounts: readonly string[]
  isWritable: (index: number) => boolean
  clock: Clock
  accountsAfter: (bytes: Uint8Array) => AccountsAfter | undefined
}): JudgedTransaction {
  const { parsed, accounts, isWritable, clock, accountsAfter } = options
  const done: Instruction[] = []
  const notes: string[] = []
  let isOver = false
  for (const [index, instruction] of parsed.instructions.entries()) {
    if (parsed.keys[instruction.program] !== lighthouseAddress) {
      done.push(instruction)
      continue
    }
    // What fails before it ends the transaction there.
    const accountOf: AccountsAfter | undefined = isOver
      ? undefined
      : accountsAfter(withInstructions(parsed, [...done, ...budgetAfter(parsed, index)]))
    const targets = instruction.accounts.map((at): Target | undefined => {
      const address = accounts[at]
      return address === undefined || accountOf === undefined
        ? undefined
        : { ...accountOf(address), isSigner: at < parsed.signers, isWritable: isWritable(at) }
    })
    const { result, reason }: Verdict =
      accountOf === undefined
        ? { result: 0n, reason: '' }
        : evaluateAssertions({
            data: instruction.data,
            targets: targets.filter((target) => target !== undefined),
            clock,
          })
    isOver ||= accountOf === undefined || result !== 0n
    notes.push(result === 0n ? 'the assertions hold' : reason)
    done.push({ program: instruction.program, accounts: [], data: verdictData(result) })
  }
  return { bytes: withInstructions(parsed, done), notes }
}

/** The compute budget applies to a transaction wherever it stands. */
function budgetAfter(parsed: ParsedTransaction, index: number): Instruction[] {
  return parsed.instructions
    .slice(index + 1)
    .filter(({ program }) => parsed.keys[program] === programs.computeBudget)
}

/** The same transaction with other instructions. */
function withInstructions(parsed: ParsedTransaction, instructions: readonly Instruction[]): Uint8Array {
  const { message, keys, version, signatures } = parsed
  const start = (version === 0 ? 1 : 0) + 3 + encodeLength(keys.length).length + 32 * keys.length + 32
  const end = start + encodeInstructions(parsed.instructions).length
  return encodeTransaction({
    signatures,
    message: Uint8Array.from([
      ...message.slice(0, start),
      ...encodeInstructions(instructions),
      ...message.slice(end),
    ]),
  })
}

function encodeInstructions(instructions: readonly Instruction[]): number[] {
  return [
    ...encodeLength(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      program,
      ...encodeLength(accounts.length),
      ...accounts,
      ...encodeLength(data.length),
      ...data,
    ]),
  ]
}

/** Adds to a transaction's log what the stand-in did, after each of its calls. */
export function annotateLogs(logs: readonly string[], notes: readonly string[]): string[] {
  let call = 0
  return logs.flatMap((line) =>
    line === `Program ${lighthouseAddress} invoke [1]`
      ? [line, `Program log: local stand-in for Lighthouse: ${notes[call++] ?? ''}`]
      : [line],
  )
}

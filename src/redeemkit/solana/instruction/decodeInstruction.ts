import { instructionLayouts } from './instructionLayouts.ts'
import type { InstructionOf } from './layout.ts'
import { type RawInstruction, readInstruction } from './readInstruction.ts'

/**
 * An instruction with names to its parts. `name` is `unknown` when the program is, or when data or accounts
 * do not have the program's layout; `switch` on `program` and `name` to have the names of `accounts` and
 * `args`.
 */
export type DecodedInstruction = InstructionOf<typeof instructionLayouts>

/**
 * Gives names to the parts of an instruction of the System, Token, Token-2022, Associated Token Account, Memo
 * (all three), Compute Budget and Lighthouse programs. Data of another length than the layout's, or too few accounts, make it
 * `unknown`.
 */
export function decodeInstruction(instruction: RawInstruction): DecodedInstruction {
  return readInstruction(instruction, instructionLayouts)
}

import type { Finding } from '../../core/finding/finding.ts'
import type { DecodedInstruction } from './decodeInstruction.ts'
import { describeInstruction } from './describeInstruction.ts'
import { meaningFor } from './meaningFor.ts'

/**
 * What one instruction means to a wallet that did not ask for anything: a fact, a cost, or a danger.
 *
 * What moves value or costs rent is a warning; what gives power over the wallet's accounts away, signs it in
 * somewhere, keeps a transaction alive for ever, or is not understood, is a danger.
 */
export function judgeInstruction(instruction: DecodedInstruction, wallet: string): Finding {
  const code = meaningFor(instruction, wallet)
  const isRefundOfOwn = instruction.name === 'closeAccount' && instruction.accounts.destination === wallet
  const severity =
    code === 'INSTRUCTION'
      ? 'info'
      : code === 'EXTRA_TRANSFER' || code === 'PAYS_RENT' || isRefundOfOwn
        ? 'warning'
        : 'danger'
  return { severity, code, message: describeInstruction(instruction) }
}

import type { Finding } from '../../core/finding/finding.ts'
import type { DecodedInstruction } from './decodeInstruction.ts'
import { describeInstruction } from './describeInstruction.ts'
import { meaningFor } from './meaningFor.ts'

/** What a sign-in may sound like, beside the words that every sign-in has (`claimsSignIn`). */
const signInWords =
  /\b(?:sign|log)(?:ging|ning)?[\s-]*(?:in|on)\b|\bauthenti|\bauthori[sz]|\bnonce\b|\bverif|\bown(?:er|ership)?\b|\bsession\b/i

/**
 * What one instruction means to a wallet that did not ask for anything: a fact, a cost, or a danger.
 *
 * What moves value or costs rent is a warning, and so is a memo that reads like a sign-in; what gives power over the
 * wallet's accounts away, signs it in somewhere, keeps a transaction alive for ever, or is not understood, is a danger.
 */
export function judgeInstruction(instruction: DecodedInstruction, wallet: string): Finding {
  const { program, name, accounts, extraAccounts, args } = instruction
  const code = meaningFor(instruction, wallet)
  const message = describeInstruction(instruction)
  if (name === 'memo' && code === 'INSTRUCTION' && signInWords.test(args.text))
    return { severity: 'warning', code: 'SIGN_IN', message }
  // A transfer hook is another program, and what it does with further accounts cannot be known.
  if (program === 'token2022' && name !== 'unknown' && 'source' in accounts && extraAccounts.length > 0)
    return { severity: 'danger', code: 'UNEXPECTED_ACCOUNT', message }
  const isRefundOfOwn = name === 'closeAccount' && accounts.destination === wallet
  const severity =
    code === 'INSTRUCTION'
      ? 'info'
      : code === 'EXTRA_TRANSFER' || code === 'PAYS_RENT' || isRefundOfOwn
        ? 'warning'
        : 'danger'
  return { severity, code, message }
}

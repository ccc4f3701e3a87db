import { claimsSignIn } from '../../core/authMessage/isPlainText.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import type { AnyInstruction } from './layout.ts'

/** What an instruction means to this wallet, when it did not ask for it. */
export function meaningFor({ name, meaning, accounts, args }: AnyInstruction, wallet: string): FindingCode {
  // A wallet that holds nothing yet can be turned into an account of any program.
  if (name === 'createAccount' && accounts.account === wallet) return 'AUTHORITY_CHANGE'
  if (name === 'memo' && claimsSignIn(String(args.text))) return 'SIGN_IN'
  return meaning === 'INSTRUCTION' && accounts.payer === wallet ? 'PAYS_RENT' : meaning
}

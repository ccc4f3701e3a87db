import { claimsSignIn } from '../../core/authMessage/isPlainText.ts'
import type { Finding } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import type { DecodedInstruction } from './decodeInstruction.ts'

const codes: Readonly<Record<string, FindingCode>> = {
  transfer: 'EXTRA_TRANSFER',
  transferChecked: 'EXTRA_TRANSFER',
  transferCheckedWithFee: 'EXTRA_TRANSFER',
  transferWithSeed: 'EXTRA_TRANSFER',
  withdrawNonceAccount: 'EXTRA_TRANSFER',
  burn: 'EXTRA_TRANSFER',
  burnChecked: 'EXTRA_TRANSFER',
  createAccount: 'EXTRA_TRANSFER',
  createAccountWithSeed: 'EXTRA_TRANSFER',
  approve: 'DELEGATE_APPROVAL',
  approveChecked: 'DELEGATE_APPROVAL',
  setAuthority: 'AUTHORITY_CHANGE',
  authorizeNonceAccount: 'AUTHORITY_CHANGE',
  assign: 'AUTHORITY_CHANGE',
  assignWithSeed: 'AUTHORITY_CHANGE',
  closeAccount: 'ACCOUNT_CLOSED',
  advanceNonceAccount: 'DURABLE_NONCE',
}
const harmless = [
  'memo',
  'create',
  'createIdempotent',
  'requestHeapFrame',
  'setComputeUnitLimit',
  'setComputeUnitPrice',
  'setLoadedAccountsDataSizeLimit',
  'syncNative',
  'revoke',
]

/**
 * What one instruction means to a wallet that did not ask for anything: a fact, a cost, or a danger.
 *
 * What moves value or costs rent is a warning; what gives power over the wallet's accounts away, signs it in somewhere,
 * keeps a transaction alive for ever, or is not understood, is a danger.
 */
export function judgeInstruction(instruction: DecodedInstruction, wallet: string): Finding {
  const { program, programId, name, accounts, extraAccounts, args } = instruction
  const code = codeOf(instruction, wallet)
  const severity =
    code === 'INSTRUCTION'
      ? 'info'
      : code === 'EXTRA_TRANSFER' ||
          code === 'PAYS_RENT' ||
          (code === 'ACCOUNT_CLOSED' && accounts.destination === wallet)
        ? 'warning'
        : 'danger'
  const parts = Object.entries({ ...args, ...accounts }).map(
    ([label, value]) => `${label} ${/text|seed/i.test(label) ? quote(value) : value}`,
  )
  const message = `${program === 'unknown' ? programId : program} ${name} (${[...parts, ...extraAccounts].join(', ')})`
  return { severity, code, message }
}

function codeOf({ program, name, accounts, args }: DecodedInstruction, wallet: string): FindingCode {
  // A wallet that holds nothing yet can be turned into an account of any program.
  if (name === 'createAccount' && accounts.account === wallet) return 'AUTHORITY_CHANGE'
  if (name === 'memo' && claimsSignIn(String(args.text))) return 'SIGN_IN'
  const code = codes[name]
  if (code !== undefined) return code
  if (name === 'unknown') return 'UNKNOWN_INSTRUCTION'
  if (!harmless.includes(name)) return 'UNEXPECTED_INSTRUCTION'
  return program === 'associatedToken' && accounts.payer === wallet ? 'PAYS_RENT' : 'INSTRUCTION'
}

/** Text that somebody else wrote: on one line, and nothing in it that a screen does not show as it stands. */
function quote(text: unknown): string {
  return JSON.stringify(text).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (hidden) => `\\u${hidden.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  )
}

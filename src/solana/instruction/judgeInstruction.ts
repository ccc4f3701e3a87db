import type { Finding } from '../../core/finding.ts'
import type { DecodedInstruction } from './decodeInstruction.ts'

const codes: Record<string, string> = {
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
 * What moves value is a warning; what gives power over the wallet's accounts away, keeps a transaction alive for ever,
 * or is not understood, is a danger.
 */
export function judgeInstruction(instruction: DecodedInstruction, wallet: string): Finding {
  const { program, programId, name, accounts, extraAccounts, args } = instruction
  const code =
    codes[name] ??
    (name === 'unknown'
      ? 'UNKNOWN_INSTRUCTION'
      : harmless.includes(name)
        ? 'INSTRUCTION'
        : 'UNEXPECTED_INSTRUCTION')
  const severity =
    code === 'INSTRUCTION'
      ? 'info'
      : code === 'EXTRA_TRANSFER' || (code === 'ACCOUNT_CLOSED' && accounts.destination === wallet)
        ? 'warning'
        : 'danger'
  const parts = Object.entries({ ...args, ...accounts }).map(
    ([label, value]) => `${label} ${label === 'text' ? JSON.stringify(value) : value}`,
  )
  const message = `${program === 'unknown' ? programId : program} ${name} (${[...parts, ...extraAccounts].join(', ')})`
  return { severity, code, message }
}

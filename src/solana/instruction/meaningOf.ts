import { claimsSignIn } from '../../core/authMessage/isPlainText.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import type { InstructionName } from './instructionNames.ts'
import type { InstructionOf } from './layout.ts'

/** An instruction whose parts have names, or some of them. */
export type NamedInstruction = InstructionOf<Record<never, never>>

// An instruction without a row is neither harmless nor expected.
const meanings: { readonly [name in InstructionName | 'unknown']?: FindingCode } = {
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
  unknown: 'UNKNOWN_INSTRUCTION',
  memo: 'INSTRUCTION',
  create: 'INSTRUCTION',
  createIdempotent: 'INSTRUCTION',
  requestHeapFrame: 'INSTRUCTION',
  setComputeUnitLimit: 'INSTRUCTION',
  setComputeUnitPrice: 'INSTRUCTION',
  setLoadedAccountsDataSizeLimit: 'INSTRUCTION',
  syncNative: 'INSTRUCTION',
  revoke: 'INSTRUCTION',
}

/** What one instruction means to a wallet that did not ask for anything. */
export function meaningOf(
  { name, accounts, extraAccounts, args }: NamedInstruction,
  wallet: string,
): FindingCode {
  const keys = [...Object.values(accounts), ...extraAccounts]
  // A wallet that holds nothing yet can be turned into an account of any program.
  if (name === 'createAccount' && keys[1] === wallet) return 'AUTHORITY_CHANGE'
  if (name === 'memo' && claimsSignIn(String(args.text))) return 'SIGN_IN'
  if ((name === 'create' || name === 'createIdempotent') && keys[0] === wallet) return 'PAYS_RENT'
  return meanings[name] ?? 'UNEXPECTED_INSTRUCTION'
}

import type { ProgramName } from './programs.ts'

/** What Token and Token-2022 both have. */
const token = [
  'initializeMint',
  'initializeAccount',
  'initializeMultisig',
  'transfer',
  'approve',
  'revoke',
  'setAuthority',
  'mintTo',
  'burn',
  'closeAccount',
  'freezeAccount',
  'thawAccount',
  'transferChecked',
  'approveChecked',
  'mintToChecked',
  'burnChecked',
  'initializeAccount2',
  'syncNative',
  'initializeAccount3',
  'initializeMultisig2',
  'initializeMint2',
  'getAccountDataSize',
  'initializeImmutableOwner',
  'amountToUiAmount',
  'uiAmountToAmount',
] as const

/** The instructions of each program; the place in the list is the number with which the instruction's data begins. */
export const instructionNames = {
  system: [
    'createAccount',
    'assign',
    'transfer',
    'createAccountWithSeed',
    'advanceNonceAccount',
    'withdrawNonceAccount',
    'initializeNonceAccount',
    'authorizeNonceAccount',
    'allocate',
    'allocateWithSeed',
    'assignWithSeed',
    'transferWithSeed',
    'upgradeNonceAccount',
  ],
  token,
  token2022: [
    ...token,
    'initializeMintCloseAuthority',
    'transferFee',
    'confidentialTransfer',
    'defaultAccountState',
    'reallocate',
    'memoTransfer',
    'createNativeMint',
    'initializeNonTransferableMint',
    'interestBearingMint',
    'cpiGuard',
    'initializePermanentDelegate',
    'transferHook',
    'confidentialTransferFee',
    'withdrawExcessLamports',
    'metadataPointer',
    'groupPointer',
    'groupMemberPointer',
    'confidentialMintBurn',
    'scaledUiAmount',
    'pausable',
  ],
  associatedToken: ['create', 'createIdempotent', 'recoverNested'],
  memo: ['memo'],
  memoV1: ['memo'],
  computeBudget: [
    'requestUnits',
    'requestHeapFrame',
    'setComputeUnitLimit',
    'setComputeUnitPrice',
    'setLoadedAccountsDataSizeLimit',
  ],
} as const satisfies Record<ProgramName, readonly string[]>

/** The one instruction of `transferFee` that moves tokens. It has no number of its own. */
export const transferWithFee = 'transferCheckedWithFee'

/** The names of a program's instructions. */
export type InstructionName<program extends ProgramName = ProgramName> =
  | (typeof instructionNames)[program][number]
  | (program extends 'token2022' ? typeof transferWithFee : never)

import { encodeBase58 } from '../encoding/encodeBase58.ts'
import { type ProgramName, programs } from './programs.ts'

/** An instruction with names to its parts. */
export type DecodedInstruction = {
  /** Base58. */
  programId: string
  /** `unknown` for a program that is not known here. */
  program: ProgramName | 'unknown'
  /** `transferChecked`; `unknown` when the program is, or when data or accounts do not have the program's layout. */
  name: string
  /** The accounts by the names that the program gives them. */
  accounts: Record<string, string>
  /** Accounts beyond those that the program names: further signers, or what a transfer hook asks for. */
  extraAccounts: string[]
  /** Numbers as `bigint`, keys as base58, text as text; `null` for a key that is left out. */
  args: Record<string, bigint | string | null>
}

// Per program, by discriminator: `name argument:type… / account…`.
// Types: 1, 4, 8 = unsigned little-endian of so many bytes; k = key; o = optional key; s = text with its length; t = all the rest as text.
const token = [
  'initializeMint decimals:1 mintAuthority:k freezeAuthority:o / mint rent',
  'initializeAccount / account mint owner rent',
  'initializeMultisig m:1 / multisig rent',
  'transfer amount:8 / source destination owner',
  'approve amount:8 / source delegate owner',
  'revoke / source owner',
  'setAuthority authorityType:1 newAuthority:o / account owner',
  'mintTo amount:8 / mint account owner',
  'burn amount:8 / account mint owner',
  'closeAccount / account destination owner',
  'freezeAccount / account mint owner',
  'thawAccount / account mint owner',
  'transferChecked amount:8 decimals:1 / source mint destination owner',
  'approveChecked amount:8 decimals:1 / source mint delegate owner',
  'mintToChecked amount:8 decimals:1 / mint account owner',
  'burnChecked amount:8 decimals:1 / account mint owner',
  'initializeAccount2 owner:k / account mint rent',
  'syncNative / account',
  'initializeAccount3 owner:k / account mint',
  'initializeMultisig2 m:1 / multisig',
  'initializeMint2 decimals:1 mintAuthority:k freezeAuthority:o / mint',
  'getAccountDataSize / mint',
  'initializeImmutableOwner / account',
  'amountToUiAmount amount:8 / mint',
  'uiAmountToAmount amountText:t / mint',
]
const memo = ['memo text:t /']
const layouts: Record<ProgramName, readonly string[]> = {
  system: [
    'createAccount lamports:8 space:8 owner:k / source account',
    'assign owner:k / account',
    'transfer lamports:8 / source destination',
    'createAccountWithSeed base:k seed:s lamports:8 space:8 owner:k / source account',
    'advanceNonceAccount / nonce recentBlockhashes authority',
    'withdrawNonceAccount lamports:8 / nonce destination recentBlockhashes rent authority',
    'initializeNonceAccount authority:k / nonce recentBlockhashes rent',
    'authorizeNonceAccount newAuthority:k / nonce authority',
    'allocate space:8 / account',
    'allocateWithSeed base:k seed:s space:8 owner:k / account base',
    'assignWithSeed base:k seed:s owner:k / account base',
    'transferWithSeed lamports:8 seed:s sourceOwner:k / source base destination',
    'upgradeNonceAccount / nonce',
  ],
  token,
  token2022: [
    ...token,
    ...'initializeMintCloseAuthority transferFee confidentialTransfer defaultAccountState reallocate memoTransfer createNativeMint initializeNonTransferableMint interestBearingMint cpiGuard initializePermanentDelegate transferHook confidentialTransferFee withdrawExcessLamports metadataPointer groupPointer groupMemberPointer confidentialMintBurn scaledUiAmount pausable'
      .split(' ')
      .map((name) => `${name} data:x /`),
  ],
  associatedToken: ['create', 'createIdempotent', 'recoverNested'].map((name) =>
    name === 'recoverNested'
      ? `${name} / nested nestedMint destination ownerAccount ownerMint wallet tokenProgram`
      : `${name} / payer account owner mint systemProgram tokenProgram`,
  ),
  memo,
  memoV1: memo,
  computeBudget: [
    'requestUnits units:4 fee:4 /',
    'requestHeapFrame bytes:4 /',
    'setComputeUnitLimit units:4 /',
    'setComputeUnitPrice microLamports:8 /',
    'setLoadedAccountsDataSizeLimit bytes:4 /',
  ],
}
const transferCheckedWithFee =
  'transferCheckedWithFee subtype:1 amount:8 decimals:1 fee:8 / source mint destination owner'

/**
 * Gives names to the parts of an instruction of the System, Token, Token-2022, Associated Token Account, Memo (both)
 * and Compute Budget programs. Data of another length than the layout's, or too few accounts, make it `unknown`.
 *
 * @param accounts base58, in the instruction's order
 */
export function decodeInstruction(options: {
  programId: string
  accounts: readonly string[]
  data: Uint8Array
}): DecodedInstruction {
  const { programId, accounts, data } = options
  const program = programNames.get(programId)
  const unknown: DecodedInstruction = {
    programId,
    program: program ?? 'unknown',
    name: 'unknown',
    accounts: {},
    extraAccounts: [...accounts],
    args: {},
  }
  if (program === undefined) return unknown
  let at = 0
  const number = (length: number): bigint => {
    let value = 0n
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(data[at + i] ?? 0)
    at += length
    return value
  }
  const slice = (length: number) => {
    at += length
    return data.slice(at - length, at)
  }
  const isMemo = program === 'memo' || program === 'memoV1'
  // The first release of the Associated Token Account program had one instruction, without data.
  const bare = program === 'associatedToken' && data.length === 0
  const index = isMemo || bare ? 0 : Number(number(program === 'system' ? 4 : 1))
  const isTransferWithFee = program === 'token2022' && index === 26 && data[1] === 1
  const layout = isTransferWithFee ? transferCheckedWithFee : layouts[program][index]
  if (layout === undefined) return unknown
  const [head = '', tail = ''] = layout.split('/')
  const [name = '', ...fields] = head.trim().split(' ')
  const names = tail.split(' ').filter((word) => word !== '')
  const args: DecodedInstruction['args'] = {}
  try {
    for (const field of fields) {
      const [label = '', type = ''] = field.split(':')
      if (type === 'k') args[label] = encodeBase58(slice(32))
      else if (type === 'o') {
        const tag = number(1)
        if (tag > 1n) return unknown
        args[label] = tag === 1n ? encodeBase58(slice(32)) : null
      } else if (type === 's') args[label] = utf8.decode(slice(Number(number(8))))
      else if (type === 't') args[label] = utf8.decode(slice(data.length - at))
      else if (type === 'x') slice(data.length - at)
      else args[label] = number(Number(type))
    }
  } catch {
    return unknown
  }
  if ((at !== data.length && !bare) || accounts.length < names.length) return unknown
  return {
    programId,
    program,
    name,
    accounts: Object.fromEntries(names.map((label, i) => [label, accounts[i] ?? ''])),
    extraAccounts: accounts.slice(names.length),
    args,
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const programNames = new Map(
  // `Object.entries` widens the keys of the table to text.
  Object.entries(programs).map(([name, id]) => [id as string, name as ProgramName]),
)

import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import type { AssertionType } from './lighthouse.ts'
import type { ProgramName } from './programs.ts'

/**
 * Encoding of an argument in an instruction's data. Numbers are unsigned and little-endian, of 1, 4 or 8 bytes. An optional key or amount
 * (8 bytes) follows a byte that says whether it is present. `text` follows its length; `allText` takes the remaining bytes. The other
 * encodings are Lighthouse assertions.
 */
export type ArgType =
  | 1
  | 4
  | 8
  | 'key'
  | 'optionalKey'
  | 'optionalAmount'
  | 'text'
  | 'allText'
  | AssertionType

/**
 * The layout of an instruction: the number that its data begins with (byte 0 plus 256 times byte 1), the code of the finding if it was not
 * expected, its arguments in order, and the names of its accounts in order. Without arguments, neither the arguments nor the accounts are
 * decoded.
 */
export type Layout = readonly [
  number: number,
  meaning: FindingCode,
  args?: Readonly<Record<string, ArgType>>,
  accounts?: string,
]

export type Layouts = { readonly [program in ProgramName]: Readonly<Record<string, Layout>> }

type ArgValue<type> = type extends number
  ? bigint
  : type extends 'optionalKey'
    ? string | null
    : type extends 'optionalAmount'
      ? bigint | null
      : string

type Named<program, name, accounts, args> = {
  /** Base58. */
  programId: string
  program: program
  name: name
  /** The code of the finding if the instruction was not expected. */
  meaning: FindingCode
  /** The accounts by the names that the program's documentation gives them. */
  accounts: accounts
  /** Accounts beyond those of the layout: further signers, or the accounts of a transfer hook. */
  extraAccounts: string[]
  /** Numbers as `bigint`, keys as base58, text as text; `null` for an absent key. */
  args: args
}

/** The layout is unknown, so all accounts are in `extraAccounts`. */
type Unread<program, name> = Named<
  program,
  name,
  Readonly<Record<string, string>>,
  Readonly<Record<string, bigint | string | null>>
>

type Words<text> = text extends `${infer word} ${infer others}` ? word | Words<others> : text

type Read<program, name, layout> = layout extends readonly [number, FindingCode, infer args, ...infer names]
  ? Named<
      program,
      name,
      { [account in Words<names[number]> & string]: string },
      { -readonly [arg in keyof args]: ArgValue<args[arg]> }
    >
  : Unread<program, name>

/** An instruction with its parts by name, if its layout is known. Comparing `program` and `name` narrows `accounts` and `args`. */
export type InstructionOf<table extends Layouts> =
  | {
      [program in ProgramName]:
        | {
            [name in keyof table[program] & string]: Read<program, name, table[program][name]>
          }[keyof table[program] & string]
        | Unread<program, 'unknown'>
    }[ProgramName]
  | Unread<'unknown', 'unknown'>

export type AnyInstruction = Unread<ProgramName | 'unknown', string>

const creation = [{}, 'payer account owner mint systemProgram tokenProgram'] as const
const memo = { memo: [0, 'INSTRUCTION', { text: 'allText' }] } as const
const token = {
  transfer: [3, 'EXTRA_TRANSFER', { amount: 8 }, 'source destination owner'],
  approve: [4, 'DELEGATE_APPROVAL', { amount: 8 }, 'source delegate owner'],
  setAuthority: [6, 'AUTHORITY_CHANGE', { authorityType: 1, newAuthority: 'optionalKey' }, 'account owner'],
  closeAccount: [9, 'ACCOUNT_CLOSED', {}, 'account destination owner'],
  transferChecked: [12, 'EXTRA_TRANSFER', { amount: 8, decimals: 1 }, 'source mint destination owner'],
  approveChecked: [13, 'DELEGATE_APPROVAL', { amount: 8, decimals: 1 }, 'source mint delegate owner'],
} as const

/** The instructions of a USDC transfer, and those that can take over an account or its money, so that errors can name them. */
export const transferLayouts = {
  system: {
    createAccount: [0, 'EXTRA_TRANSFER', { lamports: 8, space: 8, owner: 'key' }, 'source account'],
    assign: [1, 'AUTHORITY_CHANGE', { owner: 'key' }, 'account'],
    transfer: [2, 'EXTRA_TRANSFER', { lamports: 8 }, 'source destination'],
    advanceNonceAccount: [4, 'DURABLE_NONCE', {}, 'nonce recentBlockhashes authority'],
    authorizeNonceAccount: [7, 'AUTHORITY_CHANGE', { newAuthority: 'key' }, 'nonce authority'],
    assignWithSeed: [10, 'AUTHORITY_CHANGE', { base: 'key', seed: 'text', owner: 'key' }, 'account base'],
  },
  token,
  token2022: token,
  associatedToken: {
    create: [0, 'INSTRUCTION', ...creation],
    createIdempotent: [1, 'INSTRUCTION', ...creation],
  },
  memo,
  memoV1: memo,
  memoV4: memo,
  computeBudget: {
    requestHeapFrame: [1, 'INSTRUCTION', { bytes: 4 }],
    setComputeUnitLimit: [2, 'INSTRUCTION', { units: 4 }],
    setComputeUnitPrice: [3, 'INSTRUCTION', { microLamports: 8 }],
    setLoadedAccountsDataSizeLimit: [4, 'INSTRUCTION', { bytes: 4 }],
  },
  // No USDC transfer has an instruction of this program.
  stake: {},
  // Wallets add these. They only read accounts, and make the transaction fail if an assertion is false.
  lighthouse: {
    assertAccountData: [2, 'INSTRUCTION', { assertion: 'data' }, 'target'],
    assertAccountDataMulti: [3, 'INSTRUCTION', { assertions: 'data each' }, 'target'],
    assertAccountDelta: [4, 'INSTRUCTION', { assertion: 'delta' }, 'before after'],
    assertAccountInfo: [5, 'INSTRUCTION', { assertion: 'info' }, 'target'],
    assertAccountInfoMulti: [6, 'INSTRUCTION', { assertions: 'info each' }, 'target'],
    assertMintAccount: [7, 'INSTRUCTION', { assertion: 'mint' }, 'target'],
    assertMintAccountMulti: [8, 'INSTRUCTION', { assertions: 'mint each' }, 'target'],
    assertTokenAccount: [9, 'INSTRUCTION', { assertion: 'token' }, 'target'],
    assertTokenAccountMulti: [10, 'INSTRUCTION', { assertions: 'token each' }, 'target'],
    assertStakeAccount: [11, 'INSTRUCTION', { assertion: 'stake' }, 'target'],
    assertStakeAccountMulti: [12, 'INSTRUCTION', { assertions: 'stake each' }, 'target'],
    assertUpgradeableLoaderAccount: [13, 'INSTRUCTION', { assertion: 'loader' }, 'target'],
    assertUpgradeableLoaderAccountMulti: [14, 'INSTRUCTION', { assertions: 'loader each' }, 'target'],
    assertSysvarClock: [15, 'INSTRUCTION', { assertion: 'clock' }],
    assertBubblegumTreeConfigAccount: [17, 'INSTRUCTION', { assertion: 'treeConfig' }, 'target'],
  },
} as const satisfies Layouts

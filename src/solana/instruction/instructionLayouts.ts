import type { InstructionName, transferWithFee } from './instructionNames.ts'
import type { Layout } from './layout.ts'
import type { ProgramName } from './programs.ts'
import { transferLayouts } from './transferLayouts.ts'

const token = {
  initializeMint: [{ decimals: 1, mintAuthority: 'key', freezeAuthority: 'optionalKey' }, ['mint', 'rent']],
  initializeAccount: [{}, ['account', 'mint', 'owner', 'rent']],
  initializeMultisig: [{ m: 1 }, ['multisig', 'rent']],
  transfer: [{ amount: 8 }, ['source', 'destination', 'owner']],
  approve: [{ amount: 8 }, ['source', 'delegate', 'owner']],
  revoke: [{}, ['source', 'owner']],
  setAuthority: [{ authorityType: 1, newAuthority: 'optionalKey' }, ['account', 'owner']],
  mintTo: [{ amount: 8 }, ['mint', 'account', 'owner']],
  burn: [{ amount: 8 }, ['account', 'mint', 'owner']],
  closeAccount: [{}, ['account', 'destination', 'owner']],
  freezeAccount: [{}, ['account', 'mint', 'owner']],
  thawAccount: [{}, ['account', 'mint', 'owner']],
  transferChecked: transferLayouts.token.transferChecked,
  approveChecked: [{ amount: 8, decimals: 1 }, ['source', 'mint', 'delegate', 'owner']],
  mintToChecked: [{ amount: 8, decimals: 1 }, ['mint', 'account', 'owner']],
  burnChecked: [{ amount: 8, decimals: 1 }, ['account', 'mint', 'owner']],
  initializeAccount2: [{ owner: 'key' }, ['account', 'mint', 'rent']],
  syncNative: [{}, ['account']],
  initializeAccount3: [{ owner: 'key' }, ['account', 'mint']],
  initializeMultisig2: [{ m: 1 }, ['multisig']],
  initializeMint2: [{ decimals: 1, mintAuthority: 'key', freezeAuthority: 'optionalKey' }, ['mint']],
  getAccountDataSize: [{}, ['mint']],
  initializeImmutableOwner: [{}, ['account']],
  amountToUiAmount: [{ amount: 8 }, ['mint']],
  uiAmountToAmount: [{ amountText: 'allText' }, ['mint']],
} as const

/** Instructions of Token-2022 whose parts are not read: each is a whole family of its own. */
type Unread = Exclude<InstructionName<'token2022'>, InstructionName<'token'> | typeof transferWithFee>

/** Every instruction whose parts have names here. */
export const instructionLayouts = {
  system: {
    createAccount: [{ lamports: 8, space: 8, owner: 'key' }, ['source', 'account']],
    assign: [{ owner: 'key' }, ['account']],
    transfer: [{ lamports: 8 }, ['source', 'destination']],
    createAccountWithSeed: [
      { base: 'key', seed: 'text', lamports: 8, space: 8, owner: 'key' },
      ['source', 'account'],
    ],
    advanceNonceAccount: [{}, ['nonce', 'recentBlockhashes', 'authority']],
    withdrawNonceAccount: [
      { lamports: 8 },
      ['nonce', 'destination', 'recentBlockhashes', 'rent', 'authority'],
    ],
    initializeNonceAccount: [{ authority: 'key' }, ['nonce', 'recentBlockhashes', 'rent']],
    authorizeNonceAccount: [{ newAuthority: 'key' }, ['nonce', 'authority']],
    allocate: [{ space: 8 }, ['account']],
    allocateWithSeed: [{ base: 'key', seed: 'text', space: 8, owner: 'key' }, ['account', 'base']],
    assignWithSeed: [{ base: 'key', seed: 'text', owner: 'key' }, ['account', 'base']],
    transferWithSeed: [{ lamports: 8, seed: 'text', sourceOwner: 'key' }, ['source', 'base', 'destination']],
    upgradeNonceAccount: [{}, ['nonce']],
  },
  token,
  token2022: {
    ...token,
    transferCheckedWithFee: [
      { subtype: 1, amount: 8, decimals: 1, fee: 8 },
      ['source', 'mint', 'destination', 'owner'],
    ],
  },
  associatedToken: {
    ...transferLayouts.associatedToken,
    recoverNested: [
      {},
      ['nested', 'nestedMint', 'destination', 'ownerAccount', 'ownerMint', 'wallet', 'tokenProgram'],
    ],
  },
  memo: transferLayouts.memo,
  memoV1: transferLayouts.memoV1,
  computeBudget: {
    ...transferLayouts.computeBudget,
    requestUnits: [{ units: 4, fee: 4 }, []],
    requestHeapFrame: [{ bytes: 4 }, []],
    setLoadedAccountsDataSizeLimit: [{ bytes: 4 }, []],
  },
} as const satisfies { [program in ProgramName]: Record<Exclude<InstructionName<program>, Unread>, Layout> }

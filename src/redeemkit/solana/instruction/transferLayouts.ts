import type { Layouts } from './layout.ts'

const creation = [{}, ['payer', 'account', 'owner', 'mint', 'systemProgram', 'tokenProgram']] as const
const memo = { memo: [0, 'INSTRUCTION', { text: 'allText' }, []] } as const
const target = ['target'] as const
const token = {
  transfer: [3, 'EXTRA_TRANSFER', { amount: 8 }, ['source', 'destination', 'owner']],
  approve: [4, 'DELEGATE_APPROVAL', { amount: 8 }, ['source', 'delegate', 'owner']],
  setAuthority: [
    6,
    'AUTHORITY_CHANGE',
    { authorityType: 1, newAuthority: 'optionalKey' },
    ['account', 'owner'],
  ],
  closeAccount: [9, 'ACCOUNT_CLOSED', {}, ['account', 'destination', 'owner']],
  transferChecked: [
    12,
    'EXTRA_TRANSFER',
    { amount: 8, decimals: 1 },
    ['source', 'mint', 'destination', 'owner'],
  ],
  approveChecked: [
    13,
    'DELEGATE_APPROVAL',
    { amount: 8, decimals: 1 },
    ['source', 'mint', 'delegate', 'owner'],
  ],
} as const

/**
 * The instructions of which a USDC transfer consists, and those that take an account or its money away, so
 * that a transfer with one of them is refused by its name.
 */
export const transferLayouts = {
  system: {
    createAccount: [0, 'EXTRA_TRANSFER', { lamports: 8, space: 8, owner: 'key' }, ['source', 'account']],
    assign: [1, 'AUTHORITY_CHANGE', { owner: 'key' }, ['account']],
    transfer: [2, 'EXTRA_TRANSFER', { lamports: 8 }, ['source', 'destination']],
    advanceNonceAccount: [4, 'DURABLE_NONCE', {}, ['nonce', 'recentBlockhashes', 'authority']],
    authorizeNonceAccount: [7, 'AUTHORITY_CHANGE', { newAuthority: 'key' }, ['nonce', 'authority']],
    assignWithSeed: [
      10,
      'AUTHORITY_CHANGE',
      { base: 'key', seed: 'text', owner: 'key' },
      ['account', 'base'],
    ],
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
    requestHeapFrame: [1, 'INSTRUCTION', { bytes: 4 }, []],
    setComputeUnitLimit: [2, 'INSTRUCTION', { units: 4 }, []],
    setComputeUnitPrice: [3, 'INSTRUCTION', { microLamports: 8 }, []],
    setLoadedAccountsDataSizeLimit: [4, 'INSTRUCTION', { bytes: 4 }, []],
  },
  // What wallets add: it reads accounts, and fails the transaction when they are not as asserted.
  lighthouse: {
    assertAccountData: [2, 'INSTRUCTION', { assertion: 'data' }, target],
    assertAccountDataMulti: [3, 'INSTRUCTION', { assertions: 'data each' }, target],
    assertAccountDelta: [4, 'INSTRUCTION', { assertion: 'delta' }, ['before', 'after']],
    assertAccountInfo: [5, 'INSTRUCTION', { assertion: 'info' }, target],
    assertAccountInfoMulti: [6, 'INSTRUCTION', { assertions: 'info each' }, target],
    assertMintAccount: [7, 'INSTRUCTION', { assertion: 'mint' }, target],
    assertMintAccountMulti: [8, 'INSTRUCTION', { assertions: 'mint each' }, target],
    assertTokenAccount: [9, 'INSTRUCTION', { assertion: 'token' }, target],
    assertTokenAccountMulti: [10, 'INSTRUCTION', { assertions: 'token each' }, target],
    assertStakeAccount: [11, 'INSTRUCTION', { assertion: 'stake' }, target],
    assertStakeAccountMulti: [12, 'INSTRUCTION', { assertions: 'stake each' }, target],
    assertUpgradeableLoaderAccount: [13, 'INSTRUCTION', { assertion: 'loader' }, target],
    assertUpgradeableLoaderAccountMulti: [14, 'INSTRUCTION', { assertions: 'loader each' }, target],
    assertSysvarClock: [15, 'INSTRUCTION', { assertion: 'clock' }, []],
    assertBubblegumTreeConfigAccount: [17, 'INSTRUCTION', { assertion: 'treeConfig' }, target],
  },
} as const satisfies Layouts

import { type Layouts, transferLayouts } from './transferLayouts.ts'

// biome-ignore format: one row per instruction
const token = {
  ...transferLayouts.token,
  initializeMint: [
    0,
    'UNEXPECTED_INSTRUCTION',
    { decimals: 1, mintAuthority: 'key', freezeAuthority: 'optionalKey' },
    'mint rent',
  ],
  initializeAccount: [1, 'UNEXPECTED_INSTRUCTION', {}, 'account mint owner rent'],
  initializeMultisig: [2, 'UNEXPECTED_INSTRUCTION', { m: 1 }, 'multisig rent'],
  revoke: [5, 'INSTRUCTION', {}, 'source owner'],
  mintTo: [7, 'UNEXPECTED_INSTRUCTION', { amount: 8 }, 'mint account owner'],
  burn: [8, 'EXTRA_TRANSFER', { amount: 8 }, 'account mint owner'],
  freezeAccount: [10, 'UNEXPECTED_INSTRUCTION', {}, 'account mint owner'],
  thawAccount: [11, 'UNEXPECTED_INSTRUCTION', {}, 'account mint owner'],
  mintToChecked: [14, 'UNEXPECTED_INSTRUCTION', { amount: 8, decimals: 1 }, 'mint account owner'],
  burnChecked: [15, 'EXTRA_TRANSFER', { amount: 8, decimals: 1 }, 'account mint owner'],
  initializeAccount2: [16, 'UNEXPECTED_INSTRUCTION', { owner: 'key' }, 'account mint rent'],
  syncNative: [17, 'INSTRUCTION', {}, 'account'],
  initializeAccount3: [18, 'UNEXPECTED_INSTRUCTION', { owner: 'key' }, 'account mint'],
  initializeMultisig2: [19, 'UNEXPECTED_INSTRUCTION', { m: 1 }, 'multisig'],
  initializeMint2: [
    20,
    'UNEXPECTED_INSTRUCTION',
    { decimals: 1, mintAuthority: 'key', freezeAuthority: 'optionalKey' },
    'mint',
  ],
  getAccountDataSize: [21, 'UNEXPECTED_INSTRUCTION', {}, 'mint'],
  initializeImmutableOwner: [22, 'UNEXPECTED_INSTRUCTION', {}, 'account'],
  amountToUiAmount: [23, 'UNEXPECTED_INSTRUCTION', { amount: 8 }, 'mint'],
  uiAmountToAmount: [24, 'UNEXPECTED_INSTRUCTION', { amountText: 'allText' }, 'mint'],
  unwrapLamports: [45, 'EXTRA_TRANSFER', { amount: 'optionalAmount' }, 'source destination owner'],
  // A batch contains other instructions, which are not decoded.
  batch: [255, 'UNKNOWN_INSTRUCTION'],
} as const

/** Every known instruction. */
// biome-ignore format: one row per instruction
export const instructionLayouts = {
  ...transferLayouts,
  system: {
    ...transferLayouts.system,
    createAccountWithSeed: [
      3,
      'EXTRA_TRANSFER',
      { base: 'key', seed: 'text', lamports: 8, space: 8, owner: 'key' },
      'source account',
    ],
    withdrawNonceAccount: [5, 'EXTRA_TRANSFER', { lamports: 8 }, 'nonce destination recentBlockhashes rent authority'],
    initializeNonceAccount: [6, 'UNEXPECTED_INSTRUCTION', { authority: 'key' }, 'nonce recentBlockhashes rent'],
    allocate: [8, 'UNEXPECTED_INSTRUCTION', { space: 8 }, 'account'],
    allocateWithSeed: [9, 'UNEXPECTED_INSTRUCTION', { base: 'key', seed: 'text', space: 8, owner: 'key' }, 'account base'],
    transferWithSeed: [11, 'EXTRA_TRANSFER', { lamports: 8, seed: 'text', sourceOwner: 'key' }, 'source base destination'],
    upgradeNonceAccount: [12, 'UNEXPECTED_INSTRUCTION', {}, 'nonce'],
    // Works like `createAccount`, but the account may already hold SOL. The payer is listed only if it adds lamports.
    createAccountAllowPrefund: [13, 'EXTRA_TRANSFER', { lamports: 8, space: 8, owner: 'key' }, 'account'],
  },
  token: {
    ...token,
    withdrawExcessLamports: [38, 'EXTRA_TRANSFER', {}, 'source destination owner'],
  },
  token2022: {
    ...token,
    // Each of these extensions has several instructions. Only the one that moves tokens is decoded.
    initializeMintCloseAuthority: [25, 'UNEXPECTED_INSTRUCTION'],
    transferFee: [26, 'UNEXPECTED_INSTRUCTION'],
    confidentialTransfer: [27, 'UNEXPECTED_INSTRUCTION'],
    defaultAccountState: [28, 'UNEXPECTED_INSTRUCTION'],
    reallocate: [29, 'UNEXPECTED_INSTRUCTION'],
    memoTransfer: [30, 'UNEXPECTED_INSTRUCTION'],
    createNativeMint: [31, 'UNEXPECTED_INSTRUCTION'],
    initializeNonTransferableMint: [32, 'UNEXPECTED_INSTRUCTION'],
    interestBearingMint: [33, 'UNEXPECTED_INSTRUCTION'],
    cpiGuard: [34, 'UNEXPECTED_INSTRUCTION'],
    initializePermanentDelegate: [35, 'UNEXPECTED_INSTRUCTION'],
    transferHook: [36, 'UNEXPECTED_INSTRUCTION'],
    confidentialTransferFee: [37, 'UNEXPECTED_INSTRUCTION'],
    withdrawExcessLamports: [38, 'UNEXPECTED_INSTRUCTION'],
    metadataPointer: [39, 'UNEXPECTED_INSTRUCTION'],
    groupPointer: [40, 'UNEXPECTED_INSTRUCTION'],
    groupMemberPointer: [41, 'UNEXPECTED_INSTRUCTION'],
    confidentialMintBurn: [42, 'UNEXPECTED_INSTRUCTION'],
    scaledUiAmount: [43, 'UNEXPECTED_INSTRUCTION'],
    pausable: [44, 'UNEXPECTED_INSTRUCTION'],
    transferCheckedWithFee: [
      26 + 256,
      'EXTRA_TRANSFER',
      { subtype: 1, amount: 8, decimals: 1, fee: 8 },
      'source mint destination owner',
    ],
  },
  associatedToken: {
    ...transferLayouts.associatedToken,
    recoverNested: [
      2,
      'UNEXPECTED_INSTRUCTION',
      {},
      'nested nestedMint destination ownerAccount ownerMint wallet tokenProgram',
    ],
  },
  computeBudget: {
    ...transferLayouts.computeBudget,
    requestUnits: [0, 'UNEXPECTED_INSTRUCTION', { units: 4, fee: 4 }],
  },
  stake: {
    initialize: [
      0,
      'UNEXPECTED_INSTRUCTION',
      { staker: 'key', withdrawer: 'key', lockedUntil: 8, lockedUntilEpoch: 8, custodian: 'key' },
      'stake rent',
    ],
    authorize: [1, 'AUTHORITY_CHANGE', { newAuthority: 'key', role: 4 }, 'stake clock authority'],
    delegate: [2, 'UNEXPECTED_INSTRUCTION', {}, 'stake validator clock history config authority'],
    split: [3, 'UNEXPECTED_INSTRUCTION', { lamports: 8 }, 'stake target authority'],
    withdraw: [4, 'EXTRA_TRANSFER', { lamports: 8 }, 'stake destination clock history authority'],
    deactivate: [5, 'UNEXPECTED_INSTRUCTION', {}, 'stake clock authority'],
    setLockup: [6, 'UNEXPECTED_INSTRUCTION'],
    merge: [7, 'UNEXPECTED_INSTRUCTION', {}, 'target stake clock history authority'],
    authorizeWithSeed: [
      8,
      'AUTHORITY_CHANGE',
      { newAuthority: 'key', role: 4, seed: 'text', seedOwner: 'key' },
      'stake authority clock',
    ],
    initializeChecked: [9, 'UNEXPECTED_INSTRUCTION', {}, 'stake rent staker withdrawer'],
    authorizeChecked: [10, 'AUTHORITY_CHANGE', { role: 4 }, 'stake clock authority newAuthority'],
    authorizeCheckedWithSeed: [
      11,
      'AUTHORITY_CHANGE',
      { role: 4, seed: 'text', seedOwner: 'key' },
      'stake authority clock newAuthority',
    ],
    setLockupChecked: [12, 'UNEXPECTED_INSTRUCTION'],
    getMinimumDelegation: [13, 'INSTRUCTION', {}],
    deactivateDelinquent: [14, 'UNEXPECTED_INSTRUCTION'],
    moveStake: [16, 'UNEXPECTED_INSTRUCTION', { lamports: 8 }, 'stake target authority'],
    moveLamports: [17, 'UNEXPECTED_INSTRUCTION', { lamports: 8 }, 'stake target authority'],
  },
  lighthouse: {
    ...transferLayouts.lighthouse,
    // These three do more than assert: they write memory, close memory, and call another program.
    memoryWrite: [0, 'UNEXPECTED_INSTRUCTION'],
    memoryClose: [1, 'UNEXPECTED_INSTRUCTION'],
    assertMerkleTreeAccount: [16, 'UNEXPECTED_INSTRUCTION', { assertion: 'leaf' }, 'tree root compression'],
  },
} as const satisfies Layouts

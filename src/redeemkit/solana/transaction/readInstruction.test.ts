import { type Address, address } from '@solana/kit'
import * as token from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  Keypair,
  type PublicKey,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js'
import { getUnwrapLamportsInstruction } from '@solana-program/token'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { instructionLayouts } from './instructionLayouts.ts'
import { programs } from './programs.ts'
import { isLighthouseAssertion, readInstruction } from './readInstruction.ts'
import { recordedAssertions } from './recordedAssertions.fixture.ts'
import { transferLayouts } from './transferLayouts.ts'

const [a, b, c, d] = [1, 2, 3, 4].map(
  (seed) => Keypair.fromSeed(new Uint8Array(32).fill(seed)).publicKey,
) as [PublicKey, PublicKey, PublicKey, PublicKey]
const [A, B, C, D] = [a, b, c, d].map((key) => key.toBase58())
const t22 = token.TOKEN_2022_PROGRAM_ID
const sysvarRent = 'SysvarRent111111111111111111111111111111111'
const sysvarRecent = 'SysvarRecentB1ockHashes11111111111111111111'

const readAny = (instruction: Parameters<typeof readInstruction>[0]) =>
  readInstruction(instruction, instructionLayouts)

function decode(instruction: TransactionInstruction) {
  return readAny({
    programId: instruction.programId.toBase58(),
    accounts: instruction.keys.map(({ pubkey }) => pubkey.toBase58()),
    data: Uint8Array.from(instruction.data),
  })
}

/** `@solana/spl-token` does not export this instruction. */
function unwrap(id: PublicKey, amount: bigint | null): TransactionInstruction {
  const [source, destination, authority] = [A, B, C].map((key) => address(`${key}`)) as [
    Address,
    Address,
    Address,
  ]
  const { data } = getUnwrapLamportsInstruction({ source, destination, authority, amount })
  const keys = [a, b, c].map((pubkey) => ({ pubkey, isSigner: false, isWritable: false }))
  return new TransactionInstruction({ programId: id, keys, data: Buffer.from(data) })
}

// Instructions built by the usual libraries, with their names and parts.
const known: [name: string, TransactionInstruction, accounts: object, args: object][] = [
  [
    'transfer',
    SystemProgram.transfer({ fromPubkey: a, toPubkey: b, lamports: 7 }),
    { source: A, destination: B },
    { lamports: 7n },
  ],
  ['assign', SystemProgram.assign({ accountPubkey: a, programId: b }), { account: A }, { owner: B }],
  [
    'createAccount',
    SystemProgram.createAccount({ fromPubkey: a, newAccountPubkey: b, lamports: 1, space: 2, programId: c }),
    { source: A, account: B },
    { lamports: 1n, space: 2n, owner: C },
  ],
  [
    'createAccountWithSeed',
    SystemProgram.createAccountWithSeed({
      fromPubkey: a,
      newAccountPubkey: b,
      basePubkey: a,
      seed: 'é',
      lamports: 1,
      space: 2,
      programId: c,
    }),
    { source: A, account: B },
    { base: A, seed: 'é', lamports: 1n, space: 2n, owner: C },
  ],
  [
    'transferWithSeed',
    SystemProgram.transfer({
      fromPubkey: a,
      basePubkey: b,
      toPubkey: c,
      lamports: 9n,
      seed: 's',
      programId: d,
    }),
    { source: A, base: B, destination: C },
    { lamports: 9n, seed: 's', sourceOwner: D },
  ],
  ['allocate', SystemProgram.allocate({ accountPubkey: a, space: 3 }), { account: A }, { space: 3n }],
  [
    'allocateWithSeed',
    SystemProgram.allocate({ accountPubkey: a, basePubkey: b, seed: 'x', space: 3, programId: c }),
    { account: A, base: B },
    { base: B, seed: 'x', space: 3n, owner: C },
  ],
  [
    'assignWithSeed',
    SystemProgram.assign({ accountPubkey: a, basePubkey: b, seed: 'x', programId: c }),
    { account: A, base: B },
    { base: B, seed: 'x', owner: C },
  ],
  [
    'advanceNonceAccount',
    SystemProgram.nonceAdvance({ noncePubkey: a, authorizedPubkey: b }),
    { nonce: A, recentBlockhashes: sysvarRecent, authority: B },
    {},
  ],
  [
    'withdrawNonceAccount',
    SystemProgram.nonceWithdraw({ noncePubkey: a, authorizedPubkey: b, toPubkey: c, lamports: 4 }),
    { nonce: A, destination: C, recentBlockhashes: sysvarRecent, rent: sysvarRent, authority: B },
    { lamports: 4n },
  ],
  [
    'authorizeNonceAccount',
    SystemProgram.nonceAuthorize({ noncePubkey: a, authorizedPubkey: b, newAuthorizedPubkey: c }),
    { nonce: A, authority: B },
    { newAuthority: C },
  ],
  [
    'initializeNonceAccount',
    SystemProgram.nonceInitialize({ noncePubkey: a, authorizedPubkey: b }),
    { nonce: A, recentBlockhashes: sysvarRecent, rent: sysvarRent },
    { authority: B },
  ],
  ['requestHeapFrame', ComputeBudgetProgram.requestHeapFrame({ bytes: 1024 }), {}, { bytes: 1024n }],
  [
    'setComputeUnitLimit',
    ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
    {},
    { units: 200_000n },
  ],
  [
    'setComputeUnitPrice',
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2n ** 64n - 1n }),
    {},
    { microLamports: 2n ** 64n - 1n },
  ],
  [
    'create',
    token.createAssociatedTokenAccountInstruction(a, b, c, d),
    { payer: A, account: B, owner: C, mint: D, systemProgram: programs.system, tokenProgram: programs.token },
    {},
  ],
  [
    'recoverNested',
    token.createRecoverNestedInstruction(a, b, c, d, b, a),
    {
      nested: A,
      nestedMint: B,
      destination: C,
      ownerAccount: D,
      ownerMint: B,
      wallet: A,
      tokenProgram: programs.token,
    },
    {},
  ],
  [
    'createIdempotent',
    token.createAssociatedTokenAccountIdempotentInstruction(a, b, c, d, t22),
    {
      payer: A,
      account: B,
      owner: C,
      mint: D,
      systemProgram: programs.system,
      tokenProgram: programs.token2022,
    },
    {},
  ],
  ...[token.TOKEN_PROGRAM_ID, t22].flatMap((id): typeof known => [
    [
      'transfer',
      token.createTransferInstruction(a, b, c, 5n, [], id),
      { source: A, destination: B, owner: C },
      { amount: 5n },
    ],
    [
      'transferChecked',
      token.createTransferCheckedInstruction(a, b, c, d, 2n ** 64n - 1n, 6, [], id),
      { source: A, mint: B, destination: C, owner: D },
      { amount: 2n ** 64n - 1n, decimals: 6n },
    ],
    [
      'approve',
      token.createApproveInstruction(a, b, c, 5n, [], id),
      { source: A, delegate: B, owner: C },
      { amount: 5n },
    ],
    [
      'approveChecked',
      token.createApproveCheckedInstruction(a, b, c, d, 5n, 6, [], id),
      { source: A, mint: B, delegate: C, owner: D },
      { amount: 5n, decimals: 6n },
    ],
    ['revoke', token.createRevokeInstruction(a, b, [], id), { source: A, owner: B }, {}],
    [
      'setAuthority',
      token.createSetAuthorityInstruction(a, b, token.AuthorityType.AccountOwner, c, [], id),
      { account: A, owner: B },
      { authorityType: 2n, newAuthority: C },
    ],
    [
      'setAuthority',
      token.createSetAuthorityInstruction(a, b, token.AuthorityType.CloseAccount, null, [], id),
      { account: A, owner: B },
      { authorityType: 3n, newAuthority: null },
    ],
    [
      'mintTo',
      token.createMintToInstruction(a, b, c, 5n, [], id),
      { mint: A, account: B, owner: C },
      { amount: 5n },
    ],
    [
      'mintToChecked',
      token.createMintToCheckedInstruction(a, b, c, 5n, 6, [], id),
      { mint: A, account: B, owner: C },
      { amount: 5n, decimals: 6n },
    ],
    [
      'burn',
      token.createBurnInstruction(a, b, c, 5n, [], id),
      { account: A, mint: B, owner: C },
      { amount: 5n },
    ],
    [
      'burnChecked',
      token.createBurnCheckedInstruction(a, b, c, 5n, 6, [], id),
      { account: A, mint: B, owner: C },
      { amount: 5n, decimals: 6n },
    ],
    [
      'closeAccount',
      token.createCloseAccountInstruction(a, b, c, [], id),
      { account: A, destination: B, owner: C },
      {},
    ],
    [
      'freezeAccount',
      token.createFreezeAccountInstruction(a, b, c, [], id),
      { account: A, mint: B, owner: C },
      {},
    ],
    [
      'thawAccount',
      token.createThawAccountInstruction(a, b, c, [], id),
      { account: A, mint: B, owner: C },
      {},
    ],
    ['syncNative', token.createSyncNativeInstruction(a, id), { account: A }, {}],
    ...[5n, null].map((amount): (typeof known)[number] => [
      'unwrapLamports',
      unwrap(id, amount),
      { source: A, destination: B, owner: C },
      { amount },
    ]),
    [
      'initializeMint',
      token.createInitializeMintInstruction(a, 6, b, c, id),
      { mint: A, rent: sysvarRent },
      { decimals: 6n, mintAuthority: B, freezeAuthority: C },
    ],
    [
      'initializeMint2',
      token.createInitializeMint2Instruction(a, 6, b, null, id),
      { mint: A },
      { decimals: 6n, mintAuthority: B, freezeAuthority: null },
    ],
    [
      'initializeAccount',
      token.createInitializeAccountInstruction(a, b, c, id),
      { account: A, mint: B, owner: C, rent: sysvarRent },
      {},
    ],
    [
      'initializeAccount2',
      token.createInitializeAccount2Instruction(a, b, c, id),
      { account: A, mint: B, rent: sysvarRent },
      { owner: C },
    ],
    [
      'initializeAccount3',
      token.createInitializeAccount3Instruction(a, b, c, id),
      { account: A, mint: B },
      { owner: C },
    ],
    ['initializeImmutableOwner', token.createInitializeImmutableOwnerInstruction(a, id), { account: A }, {}],
    ['amountToUiAmount', token.createAmountToUiAmountInstruction(a, 5n, id), { mint: A }, { amount: 5n }],
    [
      'uiAmountToAmount',
      token.createUiAmountToAmountInstruction(a, '1.5', id),
      { mint: A },
      { amountText: '1.5' },
    ],
  ]),
  [
    'transferCheckedWithFee',
    token.createTransferCheckedWithFeeInstruction(a, b, c, d, 5n, 6, 1n, [], t22),
    { source: A, mint: B, destination: C, owner: D },
    { subtype: 1n, amount: 5n, decimals: 6n, fee: 1n },
  ],
]

describe('readInstruction', () => {
  test.each(known)('decodes %s', (name, instruction, accounts, args) => {
    const decoded = decode(instruction)
    expect(decoded).toMatchObject({ name, accounts, args, extraAccounts: [] })
    expect(decoded.args).toEqual(args)
    expect(decoded.accounts).toEqual(accounts)
  })

  test.each([
    ['transferHook', token.createInitializeTransferHookInstruction(a, b, c, t22)],
    ['initializePermanentDelegate', token.createInitializePermanentDelegateInstruction(a, b, t22)],
    ['memoTransfer', token.createEnableRequiredMemoTransfersInstruction(a, b, [], t22)],
    ['transferFee', token.createInitializeTransferFeeConfigInstruction(a, b, c, 1, 1n, t22)],
    ['initializeMintCloseAuthority', token.createInitializeMintCloseAuthorityInstruction(a, b, t22)],
  ])('names the extension %s of Token-2022', (name, instruction) => {
    expect(decode(instruction).name).toBe(name)
  })

  describe.each(['memo', 'memoV1'] as const)('of the program %s', (program) => {
    const read = (data: Uint8Array) => readAny({ programId: programs[program], accounts: [], data })

    test('reads UTF-8 text', () => {
      expect(read(new TextEncoder().encode('pay_1 ✓'))).toMatchObject({
        name: 'memo',
        args: { text: 'pay_1 ✓' },
      })
    })

    test('rejects bytes that are not UTF-8', () => {
      expect(read(Uint8Array.of(0xff)).name).toBe('unknown')
    })
  })

  test('recognizes an associated token account creation without data', () => {
    const { programId, keys } = token.createAssociatedTokenAccountInstruction(a, b, c, d)
    expect(decode(new TransactionInstruction({ programId, keys, data: Buffer.alloc(0) })).name).toBe('create')
  })

  const nameOf = (instruction: TransactionInstruction, change: object) =>
    decode(new TransactionInstruction({ ...instruction, ...change })).name
  const fixedLength = known.filter(
    ([name, { programId }]) =>
      // A memo can have any length.
      name !== 'uiAmountToAmount' &&
      // The first instruction of the Associated Token Account program has no data, or a zero byte.
      !programId.equals(token.ASSOCIATED_TOKEN_PROGRAM_ID),
  )

  test('rejects data that is a byte too long', () => {
    for (const [name, instruction] of fixedLength) {
      const data = Buffer.concat([instruction.data, Buffer.of(0)])
      expect(nameOf(instruction, { data }), name).toBe('unknown')
    }
  })

  test('rejects data that is a byte too short', () => {
    for (const [name, instruction] of fixedLength)
      expect(nameOf(instruction, { data: instruction.data.subarray(0, -1) }), name).toBe('unknown')
  })

  test('rejects too few accounts', () => {
    for (const [name, instruction] of known)
      if (instruction.keys.length > 0)
        expect(nameOf(instruction, { keys: instruction.keys.slice(0, -1) }), name).toBe('unknown')
  })

  test('shows extra accounts beyond the layout', () => {
    const multisig = token.createTransferCheckedInstruction(a, b, c, d, 1n, 6, [a, b])
    expect(decode(multisig).extraAccounts).toEqual([A, B])
  })

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(programs)),
        fc.uint8Array({ maxLength: 120 }),
        fc.array(fc.constantFrom(A ?? '', B ?? ''), { maxLength: 9 }),
        (programId, data, accounts) => {
          const { name } = readAny({ programId, data, accounts })
          expect(name).not.toBe('')
        },
      ),
      { numRuns: inject('generatedInputs') },
    )
  })

  test('does not decode an unknown program', () => {
    expect(readAny({ programId: A ?? '', accounts: [B ?? ''], data: Uint8Array.of(1) })).toEqual({
      programId: A,
      meaning: 'UNKNOWN_INSTRUCTION',
      program: 'unknown',
      name: 'unknown',
      accounts: {},
      extraAccounts: [B],
      args: {},
    })
  })
})

function read(hex: string, accounts: number) {
  return readInstruction(
    {
      programId: programs.lighthouse,
      accounts: Array<string>(accounts).fill(programs.system),
      data: Uint8Array.from(Buffer.from(hex, 'hex')),
    },
    transferLayouts,
  )
}

describe.each(recordedAssertions)('a mainnet assertion about %s', (_what, hex, accounts, name, asserts) => {
  test('is recognized as an assertion and described', () => {
    const instruction = read(hex, accounts)
    expect(isLighthouseAssertion(instruction)).toBe(true)
    expect(instruction.name).toBe(name)
    expect(Object.values(instruction.args)).toEqual([asserts])
  })

  test('is not recognized with a byte removed, a byte added, or an extra account', () => {
    expect(isLighthouseAssertion(read(hex.slice(0, -2), accounts))).toBe(false)
    expect(isLighthouseAssertion(read(`${hex}00`, accounts))).toBe(false)
    expect(isLighthouseAssertion(read(hex, accounts + 1))).toBe(false)
  })
})

// 66hhUzJEyouUj6Zge5kK8UQxKncTbmntXCPeHAL9pLEQQKeAAVKoyTwSRuF59EuMAhJcwgwEgyY6X3svHdSgHZzL and
// 4L7Bfjj8P5GyChqaVmVFbxxgzrhzAkBJU6Tk3DtsL75m35GYTS35q9mQbUUcpffDj2g14xxWRARWFtMUGpeEDxnG
test.each([
  ['a write to a memory account', '0000fe000101', 5],
  ['the closing of a memory account', '0100fe', 3],
])('on mainnet: %s is not an assertion', (_what, hex, accounts) => {
  expect(isLighthouseAssertion(read(hex, accounts))).toBe(false)
})

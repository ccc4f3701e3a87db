import { readFileSync } from 'node:fs'
import {
  type Address,
  getOffchainMessageV0Encoder,
  getOffchainMessageV1Encoder,
  offchainMessageApplicationDomain,
  offchainMessageContentUtf8Of1232BytesMax,
} from '@solana/kit'
import * as token from '@solana/spl-token'
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Ed25519Program,
  Lockup,
  PublicKey,
  StakeProgram,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  VoteProgram,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { formatInspection } from '../../core/inspection/formatInspection.ts'
import { ptBrInspection } from '../../languages/index.ts'
import { address, now, write } from '../authMessage/authMessage.fixture.ts'
import { impossibleBlockhash } from '../authMessage/parseAuthMessage.ts'
import { blockhash, customer, keypair, mint, stranger } from '../solana.fixture.ts'
import { programs } from '../transaction/programs.ts'
import { inspect } from './inspect.ts'
import { wrappedSol } from './instructionValues.ts'

const file = new URL('../../../../test/vectors/foreign-transactions.json', import.meta.url)
const recorded: { solana: { name: string; transaction: string }[] } = JSON.parse(readFileSync(file, 'utf8'))

const wallet = customer.publicKey
const other = stranger.publicKey
const [fresh, validator, lookup] = [7, 8, 9].map((seed) => keypair(seed).publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
]
const own = token.getAssociatedTokenAddressSync(mint, wallet)
const wrapped = token.getAssociatedTokenAddressSync(new PublicKey(wrappedSol), wallet)
const t22 = token.TOKEN_2022_PROGRAM_ID
const short = (key: PublicKey | string) => `${`${key}`.slice(0, 4)}…${`${key}`.slice(-4)}`

type Options = { payer?: PublicKey; blockhash?: string; tables?: AddressLookupTableAccount[] }
const build = (instructions: TransactionInstruction[], options: Options = {}) =>
  new VersionedTransaction(
    new TransactionMessage({
      payerKey: options.payer ?? wallet,
      recentBlockhash: options.blockhash ?? blockhash,
      instructions,
    }).compileToV0Message(options.tables),
  )
const look = (transaction: VersionedTransaction | string, context: inspect.Context = {}) =>
  inspect({ transaction }, { address: wallet, now, ...context })
const call = (programId: string, data: string | Uint8Array, keys: PublicKey[] = []) => ({
  programId: new PublicKey(programId),
  keys: keys.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
  data: Buffer.from(data as string, 'hex'),
})
/** SIMD-0266: the data is a presence byte, then the amount. `@solana/spl-token` always writes 8 bytes. */
const unwrap = (source: PublicKey, to: PublicKey, owner: PublicKey, amount: string) =>
  call(programs.token, `2d${amount}`, [source, to, owner])
/** SIMD-0312: the accounts are the new account, then the payer if there is one. */
const allowPrefund = (lamports: string, accounts: PublicKey[]) =>
  call(programs.system, `0d000000${lamports}${'00'.repeat(8)}${other.toBuffer().toString('hex')}`, accounts)
const oneMore = (instruction: TransactionInstruction) =>
  Object.assign(instruction, { data: Buffer.concat([instruction.data, Buffer.of(0)]) })
/** Creates a stake of 5 SOL that is locked until the year 2096, unless the custodian agrees. */
const lockedStake = (custodian: PublicKey, until = 4_000_000_000, untilEpoch = 0) => [
  ...StakeProgram.createAccount({
    fromPubkey: wallet,
    stakePubkey: fresh,
    authorized: { staker: wallet, withdrawer: wallet },
    lockup: new Lockup(until, untilEpoch, custodian),
    lamports: 5_000_000_000,
  }).instructions,
]
/** Creates a token account of the wallet that holds 5 SOL. */
const fundedAccount = () => [
  SystemProgram.createAccount({
    fromPubkey: wallet,
    newAccountPubkey: fresh,
    lamports: 5_000_000_000,
    space: 165,
    programId: token.TOKEN_PROGRAM_ID,
  }),
  token.createInitializeAccount3Instruction(fresh, mint, wallet),
]
const memo = (text: string) => call(programs.memo, Buffer.from(text).toString('hex'))
const site = { environment: 'sandbox', origin: 'https://pay.example' } as const
const sign = (message: string | Uint8Array, context: inspect.Context = {}) =>
  inspect({ message }, { address, now, ...site, ...context })
const siws = (rest = '', domain = 'pay.example', account = address) =>
  `${domain} wants you to sign in with your Solana account:\n${account}${rest}`

/** Titles, lines and findings must be whole sentences in both languages, with all values filled in. */
function expectReadable(inspection: ReturnType<typeof inspect>) {
  for (const texts of [undefined, ptBrInspection]) {
    const { title, lines, findings } = formatInspection(inspection, { texts })
    expect(title).toMatch(/^\p{Lu}.*\.$/u)
    expect(JSON.stringify([title, lines])).not.toMatch(
      /(?<!u)\{\w+\}|undefined|lamports \d|\bis \S+, expected\b/,
    )
    for (const { message, fix } of findings) {
      expect(message).toMatch(/^\p{Lu}.*\.$/u)
      // Only the English text includes a part for developers.
      if (texts !== undefined) expect(fix).toBeUndefined()
    }
  }
}

test.each(recorded.solana.map(({ name, transaction }) => [name, transaction] as const))(
  'a transaction recorded from another project gets the verdict caution: %s',
  (_, transaction) => {
    const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
    const payer = message.staticAccountKeys[0]?.toBase58() ?? ''
    const inspection = inspect({ transaction }, { address: payer })
    expect(inspection.verdict).toBe('caution')
    expectReadable(inspection)
  },
)

describe('an honest request gets the verdict caution, with its description', () => {
  const stakeAccount = { stakePubkey: fresh, authorizedPubkey: wallet }
  test.each<[string, TransactionInstruction[], string, Options?]>([
    [
      'SOL',
      [SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports: 5n * 10n ** 8n })],
      `Sends 0.5 SOL to ${short(other)}.`,
    ],
    [
      'USDC',
      [token.createTransferCheckedInstruction(own, mint, fresh, wallet, 2_500_000n, 6)],
      `Sends 2.50 USDC to ${short(fresh)}.`,
    ],
    [
      'a Token-2022 transfer',
      [token.createTransferCheckedInstruction(own, other, fresh, wallet, 25n, 1, [], t22)],
      `Sends 2.5 of the token ${short(other)} to ${short(fresh)}.`,
    ],
    [
      'a limited approval',
      [token.createApproveCheckedInstruction(own, mint, other, wallet, 5_000_000n, 6)],
      `Lets ${short(other)} spend up to 5.00 USDC.`,
    ],
    [
      'a revocation',
      [token.createRevokeInstruction(own, wallet)],
      `Revokes the right of another account to spend from the token account ${short(own)}.`,
    ],
    [
      'a token account',
      [token.createAssociatedTokenAccountIdempotentInstruction(wallet, own, wallet, mint)],
      'Creates a token account for you, at your cost.',
    ],
    [
      'closing an empty account',
      [token.createCloseAccountInstruction(own, wallet, wallet)],
      `Closes the token account ${short(own)}. What is in it goes to your account.`,
    ],
    [
      'closing an account of another token, whose rent goes to another account',
      [token.createCloseAccountInstruction(own, other, wallet)],
      `Closes your account ${short(own)} and sends what is in it to ${short(other)}.`,
    ],
    [
      'unwrapping a part of wrapped SOL',
      [unwrap(wrapped, other, wallet, '010065cd1d00000000')],
      `Sends 0.5 wrapped SOL to ${short(other)}.`,
    ],
    [
      'unwrapping all SOL for its owner',
      [unwrap(wrapped, wallet, wallet, '00')],
      `Sends all of your wrapped SOL to ${short(wallet)}.`,
    ],
    [
      'unwrapping all SOL of another owner',
      [unwrap(fresh, other, other, '00')],
      'Runs the instruction unwrapLamports of the program Token (Toke…Q5DA).',
    ],
    [
      'creating an account that already holds SOL',
      [allowPrefund('00ca9a3b00000000', [fresh, wallet])],
      `Creates the account ${short(fresh)} with 1 SOL, owned by the program ${short(other)}.`,
    ],
    [
      'creating an account that already holds its rent',
      [allowPrefund('00'.repeat(8), [fresh])],
      `Creates the account ${short(fresh)} with 0 SOL, owned by the program ${short(other)}.`,
    ],
    [
      'a swap at Orca',
      [call('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 'f8c69e91e17587c8', [wallet])],
      'Swaps tokens through Orca (whir…tyCc). The amounts and the receiver are unknown.',
    ],
    [
      'a swap at Raydium',
      [call('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8', '09', [wallet])],
      'Swaps tokens through Raydium (675k…1Mp8). The amounts and the receiver are unknown.',
    ],
    [
      'a swap at a pool of Raydium',
      [call('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK', '2b04ed0b1ac91e62', [wallet])],
      'Swaps tokens through Raydium (CAMM…rWqK). The amounts and the receiver are unknown.',
    ],
    [
      'a Raydium call that is not a swap',
      [call('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8', '03', [wallet])],
      'Calls the program Raydium (675k…1Mp8). Its effect is unknown.',
    ],
    [
      'an unknown program',
      [call(`${other}`, '01', [wallet])],
      `Calls the program ${short(other)}. Its effect is unknown.`,
    ],
    [
      'a new nonce account',
      [
        ...SystemProgram.createNonceAccount({
          fromPubkey: wallet,
          noncePubkey: fresh,
          authorizedPubkey: wallet,
          lamports: 1_500_000,
        }).instructions,
      ],
      `Creates the account ${short(fresh)} with 0.0015 SOL, owned by the program System (1111…1111). It has one more effect, listed below.`,
    ],
    [
      'a durable nonce',
      [
        SystemProgram.nonceAdvance({ noncePubkey: fresh, authorizedPubkey: wallet }),
        SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports: 1 }),
      ],
      `Sends 0.000000001 SOL to ${short(other)}.`,
    ],
    [
      'a durable nonce before the creation of an account, which is then the purpose',
      [
        SystemProgram.nonceAdvance({ noncePubkey: fresh, authorizedPubkey: wallet }),
        token.createAssociatedTokenAccountIdempotentInstruction(wallet, own, wallet, mint),
      ],
      'Creates a token account for you, at your cost.',
    ],
    [
      'a durable nonce alone',
      [SystemProgram.nonceAdvance({ noncePubkey: fresh, authorizedPubkey: wallet })],
      `Does not expire: it stays valid until the nonce of ${short(fresh)} is used.`,
    ],
    [
      'a withdrawal of SOL from a nonce account',
      [
        SystemProgram.nonceWithdraw({
          noncePubkey: fresh,
          authorizedPubkey: wallet,
          toPubkey: wallet,
          lamports: 1_500_000,
        }),
      ],
      `Sends 0.0015 SOL from ${short(fresh)} to ${short(wallet)}.`,
    ],
    [
      'a new authority of a nonce account',
      [
        SystemProgram.nonceAuthorize({
          noncePubkey: fresh,
          authorizedPubkey: wallet,
          newAuthorizedPubkey: other,
        }),
      ],
      `Gives control of the nonce account ${short(fresh)} to ${short(other)}.`,
    ],
    ['a memo', [memo('pay_1')], 'Adds the memo "pay_1".'],
    ['a memo with bytes', [memo('f8'.repeat(100))], `Adds the memo "${'f8'.repeat(100)}".`],
    [
      'a compute budget',
      [ComputeBudgetProgram.setComputeUnitLimit({ units: 1 })],
      'Sets the network fee and the computing limit.',
    ],
    [
      'a new token',
      [token.createInitializeMint2Instruction(fresh, 6, wallet, null)],
      `Creates the token ${short(fresh)}, which ${short(wallet)} can issue.`,
    ],
    [
      'minting tokens',
      [token.createMintToCheckedInstruction(fresh, own, wallet, 10n, 1)],
      `Issues 1 of the token ${short(fresh)} to ${short(own)}.`,
    ],
    [
      'giving up the mint authority',
      [token.createSetAuthorityInstruction(fresh, wallet, 0, null)],
      `Permanently ends the right to issue more of the token ${short(fresh)}.`,
    ],
    [
      'another issuer',
      [token.createSetAuthorityInstruction(fresh, wallet, 0, other)],
      `Lets ${short(other)} issue more of the token ${short(fresh)}.`,
    ],
    [
      'burning tokens',
      [token.createBurnCheckedInstruction(own, mint, wallet, 1_000_000n, 6)],
      'Destroys 1.00 USDC.',
    ],
    [
      'a setting of Token-2022',
      [token.createInitializeMintCloseAuthorityInstruction(fresh, wallet, t22)],
      'Runs the instruction initializeMintCloseAuthority of the program Token-2022 (Toke…xuEb).',
    ],
    [
      'metadata of a Token-2022 token',
      // spl_token_metadata_interface:updating_field
      [call(programs.token2022, 'dde9312db5cadcc8', [fresh, wallet])],
      'Calls the program Token-2022 (Toke…xuEb). Its effect is unknown.',
    ],
    [
      'a lookup table',
      [AddressLookupTableProgram.createLookupTable({ authority: wallet, payer: wallet, recentSlot: 1 })[0]],
      'Calls the program Address Lookup Table (Addr…1111). Its effect is unknown.',
    ],
    [
      'a stake',
      [
        ...StakeProgram.createAccount({
          fromPubkey: wallet,
          stakePubkey: fresh,
          authorized: { staker: wallet, withdrawer: wallet },
          lamports: 5_000_000_000,
        }).instructions,
        ...StakeProgram.delegate({ ...stakeAccount, votePubkey: validator }).instructions,
      ],
      `Stakes 5 SOL with the validator ${short(validator)}.`,
    ],
    [
      'a stake that the wallet itself can unlock',
      lockedStake(wallet),
      `Creates the account ${short(fresh)} with 5 SOL, owned by the program Stake (Stak…1111). It has one more effect, listed below.`,
    ],
    [
      'a custodian of a stake that is not locked',
      // the lockup has neither a time nor an epoch
      [call(programs.stake, `06000000000001${other.toBuffer().toString('hex')}`, [fresh, wallet])],
      `Can lock the SOL of the stake account ${short(fresh)}, so that it cannot be withdrawn.`,
    ],
    [
      'closing a token account whose rent goes back to the stranger who paid it',
      [
        SystemProgram.createAccountWithSeed({
          fromPubkey: other,
          newAccountPubkey: fresh,
          basePubkey: wallet,
          seed: 'x',
          lamports: 2_039_280,
          space: 165,
          programId: token.TOKEN_PROGRAM_ID,
        }),
        token.createInitializeAccount3Instruction(fresh, mint, wallet),
        token.createCloseAccountInstruction(fresh, other, wallet),
      ],
      `Closes your account ${short(fresh)} and sends what is in it to ${short(other)}.`,
    ],
    [
      'deactivating a stake',
      StakeProgram.deactivate(stakeAccount).instructions,
      `Starts to unstake the SOL of the stake account ${short(fresh)}.`,
    ],
    [
      'splitting a stake',
      [
        StakeProgram.split(
          { ...stakeAccount, splitStakePubkey: other, lamports: 1_000_000_000 },
          0,
        ).instructions.at(-1) as TransactionInstruction,
      ],
      `Moves 1 SOL from the stake account ${short(fresh)} to the stake account ${short(other)}.`,
    ],
    [
      // as https://github.com/LedgerHQ/device-sdk-ts builds it
      'splitting a stake into a new account',
      StakeProgram.split({ ...stakeAccount, splitStakePubkey: other, lamports: 500_000_000 }, 0).instructions,
      `Moves 0.5 SOL from the stake account ${short(fresh)} to the stake account ${short(other)}.`,
    ],
    [
      'merging stakes',
      StakeProgram.merge({ stakePubkey: fresh, sourceStakePubKey: other, authorizedPubkey: wallet })
        .instructions,
      `Merges the stake account ${short(other)} into the stake account ${short(fresh)}.`,
    ],
    [
      'withdrawing a stake',
      StakeProgram.withdraw({ ...stakeAccount, toPubkey: wallet, lamports: 10 ** 9 }).instructions,
      `Withdraws 1 SOL from the stake account ${short(fresh)} to ${short(wallet)}.`,
    ],
    ...[
      ['SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy', '09', 'Stake Pool'] as const,
      ['SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY', '09', 'Sanctum'] as const,
      ['SPMBzsVUuoHA4Jm6KunbsotaahvVikZs1JyTW6iJvbn', '17', 'Sanctum'] as const,
    ].map(([pool, deposit, name]): [string, TransactionInstruction[], string] => [
      `a stake deposited into a pool of ${short(pool)}`,
      [
        ...StakeProgram.authorize({
          ...stakeAccount,
          newAuthorizedPubkey: other,
          stakeAuthorizationType: { index: 1 },
        }).instructions,
        call(pool, deposit, [fresh, other]),
      ],
      `Lets ${short(other)} withdraw everything from the stake account ${short(fresh)}. Calls the program ${name} (${short(pool)}). Its effect is unknown.`,
    ]),
  ])('%s', (_, instructions, title, options) => {
    const inspection = look(build(instructions, options))
    expect(formatInspection(inspection).title).toBe(title)
    expect(inspection.verdict).toBe('caution')
    expectReadable(inspection)
  })
  test('names the largest of several transfers first', () => {
    const send = (lamports: number) =>
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports })
    expect(formatInspection(look(build([send(1), send(12 * 10 ** 9)]))).title).toBe(
      `Sends 12 SOL to ${short(other)}. It has one more effect, listed below.`,
    )
  })
  test('names a transfer before a larger one to the wallet itself', () => {
    const send = (toPubkey: PublicKey, lamports: number) =>
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey, lamports })
    expect(formatInspection(look(build([send(wallet, 12 * 10 ** 9), send(other, 10 ** 9)]))).title).toBe(
      `Sends 1 SOL to ${short(other)}. It has one more effect, listed below.`,
    )
  })
  test.each([2n ** 64n - 1n, 10n ** 14n])(
    'names a transfer before an approval of %i by another account',
    (amount) => {
      const approve = token.createApproveCheckedInstruction(fresh, mint, other, other, amount, 6)
      const send = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports: 10 ** 9 })
      expect(formatInspection(look(build([approve, send]))).title).toBe(
        `Sends 1 SOL to ${short(other)}. It has one more effect, listed below.`,
      )
    },
  )
  test.each<[string, TransactionInstruction[], string]>([
    [
      'a nonce account',
      [
        ...SystemProgram.createNonceAccount({
          fromPubkey: wallet,
          noncePubkey: fresh,
          authorizedPubkey: wallet,
          lamports: 5_000_000_000,
        }).instructions,
        SystemProgram.nonceAuthorize({
          noncePubkey: fresh,
          authorizedPubkey: wallet,
          newAuthorizedPubkey: other,
        }),
      ],
      'System (1111…1111)',
    ],
    [
      // SIMD-0266: withdraws what an account holds beyond its rent
      'a token account',
      [...fundedAccount(), call(programs.token, '26', [fresh, other, wallet])],
      'Token (Toke…Q5DA)',
    ],
  ])('names the SOL of %s that is created and then given away', (_, instructions, program) => {
    expect(formatInspection(look(build(instructions))).title).toBe(
      `Creates the account ${short(fresh)} with 5 SOL, owned by the program ${program}. It has one more effect, listed below.`,
    )
  })
  test('names the owner of a token account that is created with SOL for someone else', () => {
    const instructions = [
      ...fundedAccount().slice(0, 1),
      token.createInitializeAccount3Instruction(fresh, new PublicKey(wrappedSol), other),
    ]
    expect(formatInspection(look(build(instructions))).title).toBe(
      `Sets up the token account ${short(fresh)}, owned by ${short(other)}. Creates the account ${short(fresh)} with 5 SOL, owned by the program Token (Toke…Q5DA).`,
    )
  })

  test('shows the fee that a token takes from a transfer', () => {
    const transfer = token.createTransferCheckedWithFeeInstruction(own, mint, fresh, wallet, 5n, 6, 5n)
    expect(formatInspection(look(build([transfer]))).lines).toContainEqual({
      label: 'fee',
      value: '0.000005 USDC',
    })
  })

  test('names the Vote program', () => {
    const [withdrawal] = VoteProgram.withdraw({
      votePubkey: fresh,
      authorizedWithdrawerPubkey: wallet,
      lamports: 1,
      toPubkey: other,
    }).instructions
    expect(formatInspection(look(build([withdrawal as TransactionInstruction]))).title).toBe(
      'Calls the program Vote (Vote…1111). Its effect is unknown.',
    )
  })

  test('includes the fee for signatures that a program verifies', () => {
    const verify = Ed25519Program.createInstructionWithPrivateKey({
      privateKey: stranger.secretKey,
      message: Uint8Array.of(1),
    })
    const data = Buffer.from([200, ...verify.data.subarray(1)])
    const { details } = look(build([verify, Object.assign({ ...verify }, { data })]))
    expect(details).toMatchObject({ feeLamports: 5_000n * 202n })
    for (const program of [
      'KeccakSecp256k11111111111111111111111111111',
      'Secp256r1SigVerify1111111111111111111111111',
    ])
      expect(look(build([call(program, '03')])).details).toMatchObject({ feeLamports: 5_000n * 4n })
  })
  test('names a call that it cannot read, which a small transfer, an approval or a swap could hide', () => {
    const drain = call(`${other}`, '01', [wallet])
    for (const first of [
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: validator, lamports: 1 }),
      token.createApproveCheckedInstruction(own, mint, other, wallet, 5n, 6),
      call('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 'f8c69e91e17587c8', [wallet]),
    ])
      expect(formatInspection(look(build([first, drain]))).title).toMatch(
        new RegExp(`\\. Calls the program ${short(other)}\\. Its effect is unknown\\.$`),
      )
  })
  test('names a drain by an unknown program next to two swaps, and next to a swap with a small transfer', () => {
    const [swap, drain] = [
      call('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 'f8c69e91e17587c8', [wallet]),
      call(`${other}`, '01', [wallet]),
    ]
    const tip = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: validator, lamports: 1 })
    for (const instructions of [
      [swap, swap, drain],
      [drain, swap, swap],
      [drain, swap, tip],
    ])
      expect(formatInspection(look(build(instructions))).title).toContain(
        ` Calls the program ${short(other)}. Its effect is unknown.`,
      )
  })
  test('names the largest transfer of a known token, and of a token that anyone could have created', () => {
    const send = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports: 12 * 10 ** 9 })
    for (const [decoy, also] of [
      [token.createTransferCheckedInstruction(own, fresh, validator, wallet, 10n ** 15n, 0), 'Sends '],
      [token.createApproveCheckedInstruction(own, fresh, validator, wallet, 10n ** 15n, 0), 'Lets '],
      [token.createBurnCheckedInstruction(own, fresh, wallet, 10n ** 15n, 0), 'Destroys '],
    ] as const) {
      const { title } = formatInspection(look(build([decoy, send])))
      expect(title.startsWith(`Sends 12 SOL to ${short(other)}. ${also}`)).toBe(true)
    }
  })
  test('names the amount of a transfer next to a swap', () => {
    const send = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports: 12 * 10 ** 9 })
    const swap = call('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 'f8c69e91e17587c8', [wallet])
    const shown = formatInspection(look(build([swap, send]))).title
    expect(shown).toMatch(new RegExp(`^Swaps tokens through .*\\. Sends 12 SOL to ${short(other)}\\.$`))
  })
  test.each<[string, TransactionInstruction | undefined, string]>([
    [
      'a limited approval',
      token.createApproveCheckedInstruction(own, mint, other, wallet, 10n ** 15n - 1n, 6),
      `Lets ${short(other)} spend up to 999,999,999.999999 USDC.`,
    ],
    [
      'a transfer of a token whose decimals it does not state',
      token.createTransferInstruction(validator, fresh, wallet, 1n),
      `Sends 1 raw unit of the token in ${short(validator)} to ${short(fresh)}.`,
    ],
    [
      'a withdrawal from a stake account of the wallet',
      StakeProgram.withdraw({ ...stakeAccount, toPubkey: other, lamports: 10 ** 12 }).instructions[0],
      `Withdraws 1,000 SOL from the stake account ${short(fresh)} to ${short(other)}.`,
    ],
    [
      'a withdrawal from a nonce account of the wallet',
      SystemProgram.nonceWithdraw({
        noncePubkey: fresh,
        authorizedPubkey: wallet,
        toPubkey: other,
        lamports: 10 ** 12,
      }),
      `Sends 1,000 SOL from ${short(fresh)} to ${short(other)}.`,
    ],
    [
      'a transfer from an account derived from the wallet',
      SystemProgram.transfer({
        fromPubkey: fresh,
        basePubkey: wallet,
        toPubkey: other,
        lamports: 10n ** 12n,
        seed: 'seed',
        programId: SystemProgram.programId,
      }),
      `Sends 1,000 SOL from ${short(fresh)} to ${short(other)}.`,
    ],
  ])('names %s, which a small transfer or a swap could hide', (_, instruction, sentence) => {
    const dust = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: validator, lamports: 1 })
    const swap = call('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 'f8c69e91e17587c8', [wallet])
    const titleOf = (first: TransactionInstruction) =>
      formatInspection(look(build(instruction === undefined ? [] : [first, instruction]))).title
    // a token of unknown worth does not hide the SOL
    const isKnown = !sentence.includes('raw unit')
    const also = isKnown
      ? 'It has one more effect, listed below.'
      : `Sends 0.000000001 SOL to ${short(validator)}.`
    expect(titleOf(dust)).toBe(`${sentence} ${also}`)
    expect(titleOf(swap)).toMatch(/^Swaps tokens through Orca/)
    expect(titleOf(swap).endsWith(` ${sentence}`)).toBe(true)
  })
  test('describes an account in a lookup table that was not passed', () => {
    const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0 }
    const table = new AddressLookupTableAccount({
      key: lookup,
      state: { ...state, addresses: [validator, other] },
    })
    const send = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports: 10 ** 9 })
    const transaction = build([send], { tables: [table] })
    const hidden = look(transaction)
    expect(formatInspection(hidden).title).toBe(
      `Sends 1 SOL to account 1 of the lookup table ${short(lookup)}.`,
    )
    expect(hidden.verdict).toBe('caution')
    expectReadable(hidden)
    const shown = look(transaction, { lookupTables: [table] })
    expect(formatInspection(shown).title).toBe(`Sends 1 SOL to ${short(other)}.`)
  })
  test('describes a token whose mint is only in a lookup table', () => {
    const table = new AddressLookupTableAccount({
      key: lookup,
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: [mint],
      },
    })
    const send = token.createTransferCheckedInstruction(own, mint, fresh, wallet, 5, 6)
    const { title, lines } = formatInspection(look(build([send], { tables: [table] })))
    expect(title).toBe(`Sends 5 raw units of the token in ${short(own)} to ${short(fresh)}.`)
    expect(lines).toContainEqual({
      label: 'Token',
      value: `account 0 of the lookup table ${short(lookup)}`,
    })
  })
  test('describes a sign-in by memo in a transaction that cannot be executed', () => {
    const inspection = look(
      build([memo(write())], { blockhash: impossibleBlockhash, payer: new PublicKey(address) }),
      { address, ...site },
    )
    expect(formatInspection(inspection).title).toMatch(
      /^Signs in to "pay\.example" as .+, by a transaction that can never execute\.$/,
    )
    expect(inspection).toMatchObject({ kind: 'signIn', verdict: 'caution' })
    expectReadable(inspection)
  })
  test.each<[string, string]>([
    ['a sign-in with only the required fields', siws()],
    ['a sign-in with only a statement', siws('\n\nSign in to Pay.')],
    ['a sign-in without an expiry', siws('\n\nURI: https://pay.example/a\nVersion: 1\nNonce: 12345678')],
    [
      'a sign-in with resources',
      siws('\n\nIssued At: 2020-01-01T00:00:00Z\nResources:\n- https://pay.example/tos'),
    ],
    [
      // From the tests of github.com/solana-mobile/mobile-wallet-adapter.
      'a sign-in with a statement of several lines',
      siws('\n\nthis is a statement,\nwith multiple lines!'),
    ],
    [
      'a sign-in with a statement of several paragraphs',
      siws('\n\nWelcome!\n\nBy signing, you accept our terms.\n\nURI: https://pay.example\nVersion: 1'),
    ],
    ['a sign-in with Windows line breaks', siws('\n\nSign in to Pay.\n').replaceAll('\n', '\r\n')],
    ['a sign-in with a number as its chain ID', siws('\n\nVersion: 1\nChain ID: 1')],
    // As in the tests of github.com/MetaMask/snap-solana-wallet.
    ['a sign-in with a number as its Solana network', siws('\n\nVersion: 1\nChain ID: solana:101')],
    ['a text', 'Hello, world!'],
    ['a text of several lines', 'Terms:\r\n\t1. Be kind. 👨‍👩‍👧'],
    ['a text that asks to sign in', 'Sign in with your wallet to continue.\n\nNonce: 7f3a'],
  ])('%s', (_, message) => {
    const inspection = sign(message)
    expect(inspection.verdict).toBe('caution')
    expectReadable(inspection)
  })
})

describe('a request that gives something away, or hides what it does, is refused', () => {
  const approve = (amount: bigint, id?: PublicKey) =>
    token.createApproveInstruction(own, other, wallet, amount, [], id)
  const swap = call('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 'f8c69e91e17587c8', [wallet])
  test.each<[string, TransactionInstruction[], string, Options?]>([
    [
      'a new owner',
      [token.createSetAuthorityInstruction(own, wallet, 2, other)],
      `Gives control of your account ${short(own)} to ${short(other)}.`,
    ],
    [
      'a new owner, of Token-2022',
      [token.createSetAuthorityInstruction(own, wallet, 2, other, [], t22)],
      `Gives control of your account ${short(own)} to ${short(other)}.`,
    ],
    [
      'a new close authority',
      [token.createSetAuthorityInstruction(own, wallet, 3, other)],
      `Lets ${short(other)} close the token account ${short(own)} and take the SOL in it.`,
    ],
    [
      'a new owner, hidden behind a swap',
      [swap, token.createSetAuthorityInstruction(own, wallet, 2, other)],
      `Gives control of your account ${short(own)} to ${short(other)}.`,
    ],
    [
      'a new owner of a token account with a multisig owner',
      [token.createSetAuthorityInstruction(own, fresh, 2, other, [wallet])],
      `Gives control of your account ${short(own)} to ${short(other)}.`,
    ],
    [
      'the wallet turned into a program account',
      [SystemProgram.assign({ accountPubkey: wallet, programId: other })],
      `Gives control of your account to the program ${short(other)}.`,
    ],
    [
      'a derived account turned into a program account',
      [SystemProgram.assign({ accountPubkey: fresh, basePubkey: wallet, seed: 's', programId: other })],
      `Puts the account ${short(fresh)} under the control of the program ${short(other)}.`,
    ],
    [
      'the wallet assigned to a program',
      [
        SystemProgram.createAccount({
          fromPubkey: other,
          newAccountPubkey: wallet,
          lamports: 1,
          space: 0,
          programId: other,
        }),
      ],
      `Gives control of your account to the program ${short(other)}.`,
      { payer: other },
    ],
    [
      'the wallet with SOL assigned to a program',
      [allowPrefund('00'.repeat(8), [wallet])],
      `Gives control of your account to the program ${short(other)}.`,
    ],
    [
      'unwrapping all SOL for a stranger',
      [unwrap(wrapped, other, wallet, '000000000000000000')],
      `Sends all of your wrapped SOL to ${short(other)}.`,
    ],
    [
      'data allocated in the wallet, which makes it unable to pay',
      [SystemProgram.allocate({ accountPubkey: wallet, space: 1 })],
      'Makes your account unable to pay for anything.',
    ],
    [
      'an approval of everything',
      [approve(2n ** 64n - 1n)],
      `Lets ${short(other)} spend everything in the token account ${short(own)}.`,
    ],
    [
      'an approval of a billion tokens',
      [approve(10n ** 18n)],
      `Lets ${short(other)} spend everything in the token account ${short(own)}.`,
    ],
    [
      'an approval of everything, of Token-2022',
      [approve(2n ** 63n, t22)],
      `Lets ${short(other)} spend everything in the token account ${short(own)}.`,
    ],
    [
      'an approval of all USDC',
      [token.createApproveCheckedInstruction(own, mint, other, wallet, 10n ** 15n, 6)],
      `Lets ${short(other)} spend all of your USDC.`,
    ],
    [
      'an unlimited approval, hidden behind a small transfer',
      [SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports: 1 }), approve(2n ** 64n - 1n)],
      `Lets ${short(other)} spend everything in the token account ${short(own)}.`,
    ],
    [
      'wrapped SOL, for a stranger',
      [token.createCloseAccountInstruction(wrapped, other, wallet)],
      `Closes your account ${short(wrapped)} and sends what is in it to ${short(other)}.`,
    ],
    [
      'wrapped SOL, for the fee payer',
      [token.createCloseAccountInstruction(wrapped, other, wallet)],
      `Closes your account ${short(wrapped)} and sends what is in it to ${short(other)}.`,
      { payer: other },
    ],
    [
      'SOL in a new token account, for a stranger',
      [...fundedAccount(), token.createCloseAccountInstruction(fresh, other, wallet)],
      `Closes your account ${short(fresh)} and sends what is in it to ${short(other)}.`,
    ],
    [
      'SOL in a new token account that already held some, for a stranger',
      [
        allowPrefund('00f2052a01000000', [fresh, wallet]),
        token.createInitializeAccount3Instruction(fresh, mint, wallet),
        token.createCloseAccountInstruction(fresh, other, wallet),
      ],
      `Closes your account ${short(fresh)} and sends what is in it to ${short(other)}.`,
    ],
    [
      'a stake that only a stranger can unlock, until an epoch',
      lockedStake(other, 0, 9_000),
      `Can lock the SOL of the stake account ${short(fresh)}, so that it cannot be withdrawn.`,
    ],
    [
      'a stake that only a stranger can unlock',
      [
        ...lockedStake(other),
        ...StakeProgram.delegate({
          stakePubkey: fresh,
          authorizedPubkey: wallet,
          votePubkey: validator,
        }).instructions,
      ],
      `Can lock the SOL of the stake account ${short(fresh)}, so that it cannot be withdrawn.`,
    ],
    ...[
      `0601${'ff'.repeat(7)}7f0000`,
      `060001${'ff'.repeat(8)}00`,
      `0601${'ff'.repeat(7)}7f0001${other.toBuffer().toString('hex')}`,
      `0c01${'ff'.repeat(7)}7f00`,
    ].map((data): [string, TransactionInstruction[], string] => [
      `a lock of a stake: ${data}`,
      [call(programs.stake, `${data.slice(0, 2)}000000${data.slice(2)}`, [fresh, wallet, other])],
      `Can lock the SOL of the stake account ${short(fresh)}, so that it cannot be withdrawn.`,
    ]),
    [
      'a stake authorized to a stranger',
      StakeProgram.authorize({
        stakePubkey: fresh,
        authorizedPubkey: wallet,
        newAuthorizedPubkey: other,
        stakeAuthorizationType: { index: 1 },
      }).instructions,
      `Lets ${short(other)} withdraw everything from the stake account ${short(fresh)}.`,
    ],
    [
      'a stake authorized to a stranger, and a call of a stake pool that is not a deposit',
      [
        ...StakeProgram.authorize({
          stakePubkey: fresh,
          authorizedPubkey: wallet,
          newAuthorizedPubkey: other,
          stakeAuthorizationType: { index: 1 },
        }).instructions,
        call('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy', '07', [fresh, other]),
      ],
      `Lets ${short(other)} withdraw everything from the stake account ${short(fresh)}.`,
    ],
    [
      'a stake of a derived account, for a stranger',
      StakeProgram.authorizeWithSeed({
        stakePubkey: fresh,
        authorityBase: wallet,
        authoritySeed: 'seed',
        authorityOwner: SystemProgram.programId,
        newAuthorizedPubkey: other,
        stakeAuthorizationType: { index: 1 },
      }).instructions,
      `Lets ${short(other)} withdraw everything from the stake account ${short(fresh)}.`,
    ],
    [
      'a stake of a derived account, for a stranger that signs',
      // role 1, the seed "s", the System program as the owner
      [
        call(programs.stake, `0b00000001000000010000000000000073${'00'.repeat(32)}`, [
          fresh,
          wallet,
          lookup,
          other,
        ]),
      ],
      `Lets ${short(other)} withdraw everything from the stake account ${short(fresh)}.`,
    ],
    [
      'a sign-in by memo',
      [memo(siws('\n\nURI: https://evil.example', 'evil.example', `${wallet}`))],
      `Adds the memo "evil.example wants you to sign in with your Solana account:\\n${wallet}\\n\\nURI: https://evil.example".`,
    ],
    [
      'a batch of instructions',
      [call(programs.token, 'ff0103', [own, other])],
      'Contains instructions of the program Token (Toke…Q5DA) that cannot be decoded.',
    ],
    [
      'a batch of instructions of Token-2022',
      [call(programs.token2022, 'ff0103', [own, other])],
      'Contains instructions of the program Token-2022 (Toke…xuEb) that cannot be decoded.',
    ],
    // The programs ignore trailing bytes after the data they need.
    [
      'a new owner with a trailing byte, of Token-2022',
      [oneMore(token.createSetAuthorityInstruction(own, wallet, 2, other, [], t22))],
      'Contains instructions of the program Token-2022 (Toke…xuEb) that cannot be decoded.',
    ],
    [
      'a stake authorized to a stranger, with a trailing byte',
      StakeProgram.authorize({
        stakePubkey: fresh,
        authorizedPubkey: wallet,
        newAuthorizedPubkey: other,
        stakeAuthorizationType: { index: 1 },
      }).instructions.map(oneMore),
      'Contains instructions of the program Stake (Stak…1111) that cannot be decoded.',
    ],
    [
      'a compute unit price with a trailing byte',
      [oneMore(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10n ** 13n }))],
      'Contains instructions of the program Compute Budget (Comp…1111) that cannot be decoded.',
    ],
    [
      'an unreadable instruction of Token',
      [call(programs.token, '06', [own, wallet])],
      'Contains instructions of the program Token (Toke…Q5DA) that cannot be decoded.',
    ],
    [
      'an unreadable instruction of System',
      [call(programs.system, 'ff000000', [wallet])],
      'Contains instructions of the program System (1111…1111) that cannot be decoded.',
    ],
    [
      'a fee of 14,000 SOL',
      [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10n ** 13n }),
      ],
      'The network fee is more than 1 SOL.',
    ],
  ])('%s', (_, instructions, title, options) => {
    const inspection = look(build(instructions, options))
    expect(formatInspection(inspection).title).toBe(title)
    expect(inspection.verdict).toBe('refuse')
    expectReadable(inspection)
  })
  test('does not report an approval for a spender that the wallet knows', () => {
    const inspection = look(build([approve(2n ** 64n - 1n)]), { known: { [`${other}`]: 'Shop' } })
    expect(formatInspection(inspection).title).toMatch(/^Lets "Shop" \(/)
    expect(inspection.verdict).toBe('caution')
  })
  test('refuses an invalid signature', () => {
    const transaction = build([swap])
    transaction.signatures[0] = new Uint8Array(64).fill(1)
    expect(look(transaction)).toMatchObject({
      verdict: 'refuse',
      findings: [{ code: 'WRONG_SIGNATURE' }, {}, {}, {}],
    })
  })
  const transaction = build([SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports: 1 })])
  test.each<[string, string | Uint8Array, inspect.Context?]>([
    ['the bytes of a transaction', transaction.message.serialize()],
    ['bytes that are not text', Uint8Array.of(255, 254)],
    ['a sign-in elsewhere', siws('', 'evil.example')],
    ['a sign-in of another account', siws('', 'pay.example', `${other}`)],
    ['a sign-in on another network', siws('\n\nChain ID: mainnet')],
    ['a sign-in on another network, and on this one', siws('\n\nChain ID: mainnet\nNetwork: devnet')],
    ['a sign-in with a URI on another host', siws('\n\nURI: https://evil.example')],
    ['a sign-in at a domain with a single label', siws('\n\nURI: https://example')],
    ['a sign-in at a host that only ends like the site', siws('\n\nURI: https://evilpay.example')],
    [
      'a sign-in with a URI that parsers read differently',
      siws('\n\nURI: https://pay.example\\@evil.example'),
    ],
    ['a sign-in that has expired', siws(`\n\nExpiration Time: ${new Date(now()).toISOString()}`)],
    [
      'a sign-in that is not valid before tomorrow',
      siws(`\n\nNot Before: ${new Date(now() + 86_400_000).toISOString()}`),
    ],
    [
      'a sign-in that grants the site capabilities (ReCap)',
      siws('\n\nResources:\n- urn:recap:eyJhdHQiOnt9fQ'),
    ],
    ...['URI: https://evil.example', 'URI:https://evil.example', 'Resources:', siws('', 'evil.example')].map(
      (line): [string, string] => [
        `a sign-in whose statement has the line "${line.split('\n')[0]}", which a site could read differently`,
        siws(`\n\nWelcome!\n${line}\n\nURI: https://pay.example`),
      ],
    ),
    [
      'a sign-in whose statement is the start of a sign-in to another site',
      siws(`\n\n${siws('', 'evil.example')}\n\nURI: https://pay.example`),
    ],
    ['a sign-in whose statement contains a hidden character', siws('\n\nSign in.\u202e')],
    ['a sign-in with text after its layout', siws(' and more')],
    ['a sign-in for another chain', siws().replace('Solana', 'Ethereum')],
    ['a sign-in with no-break spaces', siws().replace('wants you', 'wants\u00a0you')],
  ])('%s', (_, message, context) => {
    const inspection = sign(message, context)
    expect(inspection.verdict).toBe('refuse')
    expectReadable(inspection)
  })
})

test.each([
  ['https://pay.example', 'api.pay.example'],
  ['https://app.pay.example', 'pay.example'],
])('a sign-in of %s with a URI on %s gets the verdict caution, and both hosts are named', (origin, host) => {
  const domain = new URL(origin).host
  const { verdict, findings } = sign(write({ domain, URI: `https://${host}/auth` }), { origin })
  expect(verdict).toBe('caution')
  expect(findings).toMatchObject([
    { code: 'SIGN_IN', message: `The sign-in is for "${domain}", but its page is on "${host}".` },
  ])
})

test('a sign-in nonce of unusual form is reported', () => {
  const { verdict, findings } = sign(write({ Nonce: '961ec513-cc51-4ad0' }))
  expect(verdict).toBe('caution')
  expect(findings).toMatchObject([
    {
      message:
        'The nonce "961ec513-cc51-4ad0" is unusual: it should have only letters and digits, at least 8.',
    },
  ])
})

// The fields are in the order in which github.com/supabase/auth-js writes them.
test('a sign-in with reordered fields gets the verdict caution, and a sign-in with a duplicate field is refused', () => {
  const text = (...fields: string[]) =>
    [...siws().split('\n').slice(0, 2), '', 'Sign in.', '', ...fields].join('\n')
  const fields = [
    'Version: 1',
    'URI: https://pay.example/',
    `Issued At: ${new Date(now()).toISOString()}`,
    `Expiration Time: ${new Date(now() + 600_000).toISOString()}`,
    'Chain ID: devnet',
    'Nonce: oBbLoEldZs',
  ]
  expect(sign(text(...fields))).toMatchObject({
    kind: 'signIn',
    verdict: 'caution',
    findings: [{ message: 'The sign-in message does not have the usual format.' }],
  })
  expect(sign(text(...fields, 'URI: https://evil.example/')).verdict).toBe('refuse')
})

test('a sign-in may name its site with https://, as EIP-4361 allows', () => {
  expect(sign(`https://${write()}`)).toMatchObject({
    kind: 'signIn',
    verdict: 'caution',
    findings: [{ message: 'The sign-in message does not have the usual format.' }],
  })
  expect(sign(`https://${siws('', 'evil.example')}`).verdict).toBe('refuse')
})

test('a sign-in with all fields is ok, or caution if the wallet does not name its network', () => {
  expect(sign(write()).verdict).toBe('ok')
  expect(sign(write(), { environment: undefined })).toMatchObject({
    verdict: 'caution',
    findings: [{ code: 'UNPINNED_CHAIN' }],
  })
})

describe('an off-chain message', () => {
  const zeros = '1'.repeat(32)
  const text = 'Prove that this is your account.\nNonce: 7'
  const version0 = (
    content: string,
    { domain = zeros, signers = [address] }: { domain?: string; signers?: string[] } = {},
  ) =>
    new Uint8Array(
      getOffchainMessageV0Encoder().encode({
        version: 0,
        applicationDomain: offchainMessageApplicationDomain(domain),
        content: offchainMessageContentUtf8Of1232BytesMax(content),
        requiredSignatories: signers.map((signer) => ({ address: signer as Address })),
      }),
    )
  const version1 = (content: string, signers = [address]) =>
    new Uint8Array(
      getOffchainMessageV1Encoder().encode({
        version: 1,
        content,
        requiredSignatories: signers.map((signer) => ({ address: signer as Address })),
      }),
    )
  /** `Test Message` without signers, in the form for older Ledger apps. From the tests of the crate solana-offchain-message 3.0.0. */
  const short = Uint8Array.from([
    255, 115, 111, 108, 97, 110, 97, 32, 111, 102, 102, 99, 104, 97, 105, 110, 0, 0, 12, 0, 84, 101, 115, 116,
    32, 77, 101, 115, 115, 97, 103, 101,
  ])
  const changed = (bytes: Uint8Array, index: number, value: number) =>
    Uint8Array.from(bytes, (byte, at) => (at === index ? value : byte))
  /** Builds a transaction whose bytes are all ASCII. */
  const transactionText = () => {
    const [payerKey, programId, block] = ['a', 'b', 'c'].map(
      (letter) => new PublicKey(Buffer.alloc(32, letter)),
    )
    const message = new TransactionMessage({
      payerKey: payerKey as PublicKey,
      recentBlockhash: `${block}`,
      instructions: [{ programId: programId as PublicKey, keys: [], data: Buffer.alloc(0) }],
    })
    return new TextDecoder().decode(message.compileToLegacyMessage().serialize())
  }

  test.each([
    ['version 0', version0(text), text, 0],
    ['version 1', version1(text), text, 1],
    ['the short form', short, 'Test Message', 0],
  ])(
    'in %s gets the verdict caution, with its text and a note on the signed bytes',
    (_, bytes, content, version) => {
      const inspection = sign(bytes)
      const { title, lines } = formatInspection(inspection)
      expect(inspection).toMatchObject({
        kind: 'text',
        verdict: 'caution',
        findings: [{ code: 'PLAIN_TEXT' }],
      })
      expect(title).toBe(`Signs the text ${JSON.stringify(content.replace('\n', '↵'))}.`)
      expect(lines.map(({ value }) => value)).toContain(
        `The signature covers an off-chain message of version ${version}, which can never be a transaction.`,
      )
      expectReadable(inspection)
    },
  )

  test('names its application and its other signers', () => {
    const bytes = version0(text, { domain: `${other}`, signers: [`${other}`, address] })
    const { lines } = formatInspection(sign(bytes))
    expect(lines).toEqual(
      expect.arrayContaining([
        { label: 'Application', value: `${other}` },
        { label: 'Signer', value: `${other}` },
        { label: 'Signer', value: address },
      ]),
    )
  })

  test('that contains a sign-in is judged as a sign-in, and is never ok', () => {
    expect(sign(version1(write()))).toMatchObject({ kind: 'signIn', verdict: 'caution' })
    expect(sign(version1(write({ domain: 'evil.example' })))).toMatchObject({
      kind: 'signIn',
      verdict: 'refuse',
    })
  })

  test.each([
    ['for another account', version1(text, [`${other}`]), 'WRONG_ACCOUNT'],
    ['of an unknown version', changed(version1(text), 16, 2), 'MALFORMED'],
    ['of an unknown format', changed(version0(text), 49, 3), 'MALFORMED'],
    ['of ASCII with a line break', changed(version0(text), 49, 0), 'MALFORMED'],
    [
      'of version 0 without a signer',
      Uint8Array.from([...version0(text).slice(0, 50), 0, ...version0(text).slice(83)]),
      'MALFORMED',
    ],
    ['of version 1 without a signer', Uint8Array.from([...short.slice(0, 16), 1, 0, 97]), 'MALFORMED'],
    ['with a signer missing', changed(version1(text), 17, 3), 'MALFORMED'],
    ['with one extra byte', Uint8Array.from([...version0(text), 97]), 'MALFORMED'],
    ['one byte shorter than its length field', short.slice(0, -1), 'MALFORMED'],
    ['that is not text', changed(version1(text), 50, 255), 'MALFORMED'],
    ['without a text', version1(text).slice(0, 50), 'MALFORMED'],
    [
      'whose signers are not in order',
      Uint8Array.from([...short.slice(0, 16), 1, 2, ...wallet.toBytes(), ...wallet.toBytes(), 97]),
      'MALFORMED',
    ],
    ['that is truncated after its first bytes', short.slice(0, 16), 'MALFORMED'],
    ['with the bytes of a transaction', version1(transactionText()), 'RAW_TRANSACTION'],
  ])('%s is refused', (_, bytes, code) => {
    const inspection = sign(bytes)
    expect(inspection.verdict).toBe('refuse')
    expect(inspection.findings[0]?.code).toBe(code)
    expectReadable(inspection)
  })
})

import { PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { sponsor, usdcAccountOf } from '../solana.fixture.ts'
import { programs } from '../transaction/programs.ts'
import { recordedAssertions } from '../transaction/recordedAssertions.fixture.ts'
import { u64 } from './transferTerms.ts'
import { bytes, from, to } from './usdcTransfer.fixture.ts'

/** Creates a Lighthouse instruction from its number, log level and assertion. */
export function assertion(
  number: number,
  body: readonly number[],
  accounts: readonly PublicKey[] = [usdcAccountOf(from)],
  role: { isSigner?: boolean; isWritable?: boolean } = {},
): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(programs.lighthouse),
    keys: accounts.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false, ...role })),
    data: Buffer.from([number, 0, ...body]),
  })
}

/** Asserts the lamports of an account, and that the System program owns it: 16 bytes. */
export const lamportsAssertion = (account: PublicKey) =>
  assertion(6, [2, 0, ...u64(1_000_000n), 4, 3, 0, 0], [account])
/** Asserts the amount of a token account, no delegate, and `ownerIsDerived`: 17 bytes. */
export const tokenAssertion = (amount: bigint, account = usdcAccountOf(from)) =>
  assertion(10, [3, 2, ...u64(amount), 4, 3, 0, 0, 8], [account])
/** Asserts the hash of a token account's 165 bytes, its lamports and its program: 52 bytes. */
export const hashGuard = (account: PublicKey) =>
  assertion(6, [3, 8, ...Array<number>(32).fill(7), 0, 165, 1, 0, ...u64(2_039_280n), 4, 3, 1, 0], [account])
/** Asserts an amount, no delegate, no delegated amount, and `ownerIsDerived`: 27 bytes. */
export const afterGuard = assertion(10, [4, 2, ...u64(1n), 4, 3, 0, 0, 6, ...u64(0n), 0, 8])

/**
 * Assertions with the count, places and lengths in bytes of Phantom's (17, 52 and 16 before, 27 after), seen on mainnet on 2026-08-31:
 * https://github.com/x402-foundation/x402/pull/3318. Phantom's also assert the fee payer's lamports.
 */
export const phantom = {
  before: [tokenAssertion(1_500_000n), hashGuard(usdcAccountOf(to)), lamportsAssertion(sponsor.publicKey)],
  after: [afterGuard],
}
/** The bytes of Phantom's assertions on mainnet, in the same places and with the same lengths. */
export const recordedPhantom = {
  before: [
    recorded('a token account without a delegate', usdcAccountOf(from)),
    recorded('the hash of a token account', usdcAccountOf(to)),
    recorded('a system account', sponsor.publicKey),
  ],
  after: [recorded('the customer’s tokens', usdcAccountOf(from))],
}
/** Assertions as Solflare adds them: two at the end, seen in https://github.com/x402-foundation/x402/pull/991. */
export const solflare = { before: [], after: [lamportsAssertion(from), tokenAssertion(1n)] }

function recorded(name: string, account: PublicKey): TransactionInstruction {
  const [, hex = ''] = recordedAssertions.find(([what]) => what === name) ?? []
  const instruction = assertion(0, [], [account])
  instruction.data = Buffer.from(hex, 'hex')
  return instruction
}

/** Rebuilds a transaction as a wallet does: inserts assertions after the compute budget and at the end, and recompiles it. */
export function withAssertions(
  assertions: { before: readonly TransactionInstruction[]; after: readonly TransactionInstruction[] },
  options: { transaction?: Uint8Array; legacy?: boolean } = {},
): VersionedTransaction {
  const { message } = VersionedTransaction.deserialize(options.transaction ?? bytes)
  const decompiled = TransactionMessage.decompile(message)
  decompiled.instructions.splice(2, 0, ...assertions.before)
  decompiled.instructions.push(...assertions.after)
  return new VersionedTransaction(
    options.legacy ? decompiled.compileToLegacyMessage() : decompiled.compileToV0Message(),
  )
}

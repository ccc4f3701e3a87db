import type { PublicKey, TransactionInstruction, VersionedMessage } from '@solana/web3.js'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'
import { u64 } from '../../../redeemkit/solana/usdcTransfer/transferTerms.ts'
import type { AdapterTransaction, SolanaWalletProfile } from './walletProfile.ts'

/** Known defects of Solana wallets, with their public reports. */
export const solanaProfiles = [
  {
    name: 'phantom-assertions-around',
    wallet: 'Phantom',
    reported: 'https://github.com/x402-foundation/x402/pull/3318',
    what: 'It adds three Lighthouse assertions before a transfer and one after it, then signs.',
    play: {
      transaction: (transaction) =>
        withInstructions(transaction, async (instructions, payer) => {
          const { source, destination } = transferOf(instructions)
          if (source === undefined || destination === undefined) return instructions
          const before = [holds(source), hashes(destination), keepsLamports(payer)]
          return [...instructions.slice(0, 2), ...before, ...instructions.slice(2), holdsAlone(source)]
        }),
    },
  },
  {
    name: 'solflare-assertions-after',
    wallet: 'Solflare',
    reported: 'https://github.com/x402-foundation/x402/pull/991',
    what: 'It adds two Lighthouse assertions after a transfer, then signs.',
    play: {
      transaction: (transaction) =>
        withInstructions(transaction, async (instructions) => {
          const { source, owner } = transferOf(instructions)
          if (source === undefined || owner === undefined) return instructions
          return [...instructions, keepsLamports(owner), holds(source)]
        }),
    },
  },
  {
    name: 'trust-raises-the-fee',
    wallet: 'Trust Wallet',
    reported: 'https://github.com/trustwallet/wallet-core/pull/4082',
    what: 'It changes the priority fee of a transaction before signing.',
    play: {
      transaction: (transaction) =>
        withInstructions(transaction, async (instructions) =>
          instructions.map((instruction) => {
            const isPrice =
              instruction.programId.toBase58() === programs.computeBudget && instruction.data[0] === 3
            return isPrice ? { ...instruction, data: withData([3, ...u64(1_000_000n)]) } : instruction
          }),
        ),
    },
  },
  {
    name: 'solflare-message-undefined',
    wallet: 'Solflare',
    reported: 'https://github.com/anza-xyz/wallet-adapter/issues/423',
    what: 'The user approves a message, and the page gets undefined.',
    play: { message: () => undefined },
  },
] as const satisfies readonly SolanaWalletProfile[]

type Instruction = Pick<TransactionInstruction, 'programId' | 'keys' | 'data'>
/** A Lighthouse assertion. It is built once web3.js is loaded. */
type Assertion = { assertion: readonly number[]; account: PublicKey }

/** Compiles a transaction again with other instructions. This drops existing signatures. */
async function withInstructions(
  transaction: AdapterTransaction,
  change: (
    instructions: readonly Instruction[],
    payer: PublicKey,
  ) => Promise<readonly (Instruction | Assertion)[]>,
): Promise<AdapterTransaction> {
  const { PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } = await import(
    '@solana/web3.js'
  )
  // A wallet adapter receives messages of web3.js.
  const message = TransactionMessage.decompile(transaction.message as VersionedMessage)
  const changed = await change(message.instructions, message.payerKey)
  message.instructions = changed.map((one) =>
    'assertion' in one
      ? new TransactionInstruction({
          programId: new PublicKey(programs.lighthouse),
          keys: [{ pubkey: one.account, isSigner: false, isWritable: false }],
          data: withData(one.assertion),
        })
      : new TransactionInstruction(one),
  )
  return new VersionedTransaction(
    transaction.version === 'legacy' ? message.compileToLegacyMessage() : message.compileToV0Message(),
  )
}

function transferOf(instructions: readonly Instruction[]): {
  source?: PublicKey | undefined
  destination?: PublicKey | undefined
  owner?: PublicKey | undefined
} {
  const transfer = instructions.find(
    ({ programId, data }) => programId.toBase58() === programs.token && data[0] === 12,
  )
  const [source, , destination, owner] = transfer?.keys.map(({ pubkey }) => pubkey) ?? []
  return { source, destination, owner }
}

// Assertions whose lengths match both reports: 17, 52, 16 and 27 bytes.

/** Asserts that a token account holds at least 1 unit and has no delegate. */
const holds = (account: PublicKey): Assertion => ({
  account,
  assertion: [10, 0, 3, 2, ...u64(1n), 4, 3, 0, 0, 8],
})
/** Asserts that a token account holds at least 1 unit, and has no delegate and no delegated amount. */
const holdsAlone = (account: PublicKey): Assertion => ({
  account,
  assertion: [10, 0, 4, 2, ...u64(1n), 4, 3, 0, 0, 6, ...u64(0n), 0, 8],
})
/** Asserts that a token account has this data hash and these lamports. */
const hashes = (account: PublicKey): Assertion => ({
  account,
  assertion: [6, 0, 3, 8, ...Array<number>(32).fill(7), 0, 165, 1, 0, ...u64(2_039_280n), 4, 3, 1, 0],
})
/** Asserts that an account has at least 1,000,000 lamports. */
const keepsLamports = (account: PublicKey): Assertion => ({
  account,
  assertion: [6, 0, 2, 0, ...u64(1_000_000n), 4, 3, 0, 0],
})

/** web3.js requires a `Buffer` type, but accepts any bytes. */
const withData = (bytes: readonly number[]) => Uint8Array.from(bytes) as Buffer

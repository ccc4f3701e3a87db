import type { PublicKey, TransactionInstruction, VersionedMessage } from '@solana/web3.js'
import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
import {
  addressOf,
  type KeypairSigner,
  signWithKeypair,
} from '../../../redeemkit/solana/signer/solanaSigner.ts'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'
import { u64 } from '../../../redeemkit/solana/usdcTransfer/transferTerms.ts'
import {
  type AdapterTransaction,
  findProfile,
  promptUser,
  type SolanaWalletProfile,
  type UserOptions,
  userKinds,
  walletError,
} from './walletProfile.ts'

/**
 * Creates a Solana wallet for tests, with the interface of a wallet adapter. The wallet makes real signatures, and fails as configured or
 * like a real wallet with a reported defect.
 *
 * @param options.keypair a `Keypair` of web3.js
 * @param options.profile one of the names in `walletProfiles` whose family is `solana`
 * @throws InvalidOptionError for a misspelled, missing or mistyped option, or an unknown profile
 * @example
 * ```ts
 * import { fakeSolanaWallet } from '@redeemkit/sandbox/testing'
 * import { solanaAdapter } from 'redeemkit/solana'
 * import { Keypair } from '@solana/web3.js'
 * const wallet = fakeSolanaWallet({ keypair: Keypair.generate(), profile: 'phantom-assertions-around' })
 * solanaAdapter({ signer: wallet, environment: 'sandbox' })
 * ```
 */
export function fakeSolanaWallet(options: fakeSolanaWallet.Options): FakeSolanaWallet {
  checkOptions(options, { ...userKinds, keypair: 'object', profile: 'any' })
  const { keypair } = options
  const { play }: Pick<SolanaWalletProfile, 'play'> = findProfile(solanaProfiles, options.profile) ?? {
    play: {},
  }
  const prompts: FakeSolanaWallet['prompts'][number][] = []
  const prompt = (method: 'signMessage' | 'signTransaction') =>
    promptUser(options, prompts.push(method), walletError(4001, 'User rejected the request.'))
  return {
    publicKey: keypair.publicKey,
    prompts,
    signMessage: async (message) => {
      await prompt('signMessage')
      const signature = signWithKeypair(keypair, message)
      // Typed as bytes, although a profile may return any value.
      return (play.message === undefined ? signature : play.message(signature)) as Uint8Array
    },
    signTransaction: async <transaction extends AdapterTransaction>(transaction: transaction) => {
      await prompt('signTransaction')
      const changed = (await play.transaction?.(transaction)) ?? transaction
      const message = changed.message.serialize()
      const address = addressOf(keypair)
      const own = changed.message.staticAccountKeys.findIndex((key) => key.toBase58() === address)
      changed.signatures[own] = signWithKeypair(keypair, message)
      // The transaction that the page passed, or a copy by web3.js.
      return changed as transaction
    },
  }
}

export declare namespace fakeSolanaWallet {
  type Options = UserOptions & {
    keypair: KeypairSigner
    /** Name of a known defect of a real wallet. */
    profile?: SolanaProfileName | undefined
  }
  type ReturnType = FakeSolanaWallet
  type ErrorType = checkOptions.ErrorType
}

/** Names of the profiles of {@link fakeSolanaWallet}. */
export type SolanaProfileName = (typeof solanaProfiles)[number]['name']

/** A wallet adapter that records its prompts. */
export type FakeSolanaWallet = {
  publicKey: KeypairSigner['publicKey']
  signMessage: (message: Uint8Array) => Promise<Uint8Array>
  /** @param transaction a web3.js `VersionedTransaction` */
  signTransaction: <transaction extends AdapterTransaction>(transaction: transaction) => Promise<transaction>
  readonly prompts: readonly ('signMessage' | 'signTransaction')[]
}

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

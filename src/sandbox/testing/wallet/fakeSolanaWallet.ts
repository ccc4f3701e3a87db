import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
import {
  addressOf,
  type KeypairSigner,
  signWithKeypair,
} from '../../../redeemkit/solana/signer/solanaSigner.ts'
import { solanaProfiles } from './solanaProfiles.ts'
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

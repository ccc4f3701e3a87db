import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
import { signWithKeypair } from '../../../redeemkit/solana/signer/signWithKeypair.ts'
import type { KeypairSigner } from '../../../redeemkit/solana/signer/solanaSigner.ts'
import { solanaProfiles } from './solanaProfiles.ts'
import {
  type AdapterTransaction,
  askPerson,
  findProfile,
  type PersonOptions,
  personKinds,
  type SolanaWalletProfile,
  walletError,
} from './walletProfile.ts'

/**
 * A Solana wallet for tests, of the shape of a wallet adapter: it signs for real, and fails in the ways that it is told to,
 * or in one that a real wallet was reported for.
 *
 * @param options.keypair a web3.js `Keypair`
 * @param options.profile one of the names in `walletProfiles` whose family is `solana`
 * @throws InvalidOptionError for an option that is misspelt, missing or of another type, and for an unknown profile
 * @example
 * ```ts
 * import { fakeSolanaWallet } from '@redeemkit/sandbox/testing'
 * import { solanaAdapter } from 'redeemkit/solana'
 * import { Keypair } from '@solana/web3.js'
 * const wallet = fakeSolanaWallet({ keypair: Keypair.generate(), profile: 'phantom-guards-around' })
 * solanaAdapter({ signer: wallet, environment: 'sandbox' })
 * ```
 */
export function fakeSolanaWallet(options: fakeSolanaWallet.Options): FakeSolanaWallet {
  checkOptions(options, { ...personKinds, keypair: 'object', profile: 'any' })
  const { keypair } = options
  const { play }: Pick<SolanaWalletProfile, 'play'> = findProfile(solanaProfiles, options.profile) ?? {
    play: {},
  }
  const prompts: FakeSolanaWallet['prompts'][number][] = []
  const prompt = (method: 'signMessage' | 'signTransaction') =>
    askPerson(options, prompts.push(method), walletError(4001, 'User rejected the request.'))
  return {
    publicKey: keypair.publicKey,
    prompts,
    signMessage: async (message) => {
      await prompt('signMessage')
      const signature = signWithKeypair(keypair, message)
      // a page is told that these are bytes, whatever the wallet answers
      return (play.message === undefined ? signature : play.message(signature)) as Uint8Array
    },
    signTransaction: async <transaction extends AdapterTransaction>(transaction: transaction) => {
      await prompt('signTransaction')
      const changed = (await play.transaction?.(transaction)) ?? transaction
      const message = changed.message.serialize()
      const own = changed.message.staticAccountKeys.findIndex(
        (key) => key.toBase58() === String(keypair.publicKey),
      )
      changed.signatures[own] = signWithKeypair(keypair, message)
      // what it was given, or one that web3.js made of it
      return changed as transaction
    },
  }
}

export declare namespace fakeSolanaWallet {
  type Options = PersonOptions & {
    keypair: KeypairSigner
    /** A misbehaviour of a real wallet, by its name. */
    profile?: SolanaProfileName | undefined
  }
  type ReturnType = FakeSolanaWallet
  type ErrorType = checkOptions.ErrorType
}

/** The names of the profiles that {@link fakeSolanaWallet} plays. */
export type SolanaProfileName = (typeof solanaProfiles)[number]['name']

/** A wallet adapter, and what it was asked for. */
export type FakeSolanaWallet = {
  publicKey: KeypairSigner['publicKey']
  signMessage: (message: Uint8Array) => Promise<Uint8Array>
  /** @param transaction a web3.js `VersionedTransaction` */
  signTransaction: <transaction extends AdapterTransaction>(transaction: transaction) => Promise<transaction>
  readonly prompts: readonly ('signMessage' | 'signTransaction')[]
}

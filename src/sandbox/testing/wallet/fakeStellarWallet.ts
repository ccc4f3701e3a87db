import type { Keypair } from '@stellar/stellar-sdk'
import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
import { stellarProfiles } from './stellarProfiles.ts'
import {
  askPerson,
  findProfile,
  type PersonOptions,
  personKinds,
  type StellarWalletProfile,
} from './walletProfile.ts'

/**
 * A Stellar wallet for tests, of the shape of SEP-43: it signs for real, and fails in the ways that it is told to, or in one
 * that a real wallet was reported for.
 *
 * @param options.keypair a `Keypair` of the SDK, with its secret
 * @param options.networkPassphrase the network that it stands on. Default: testnet's
 * @param options.profile one of the names in `walletProfiles` whose family is `stellar`
 * @throws InvalidOptionError for an option that is misspelt, missing or of another type, and for an unknown profile
 * @example
 * ```ts
 * import { fakeStellarWallet } from '@redeemkit/sandbox/testing'
 * import { stellarAdapter } from 'redeemkit/stellar'
 * import { Keypair } from '@stellar/stellar-sdk'
 * const wallet = fakeStellarWallet({ keypair: Keypair.random(), profile: 'freighter-buffer-as-json' })
 * stellarAdapter({ signer: wallet, environment: 'sandbox' })
 * ```
 */
export function fakeStellarWallet(options: fakeStellarWallet.Options): FakeStellarWallet {
  checkOptions(options, { ...personKinds, keypair: 'object', networkPassphrase: 'string?', profile: 'any' })
  const { keypair, networkPassphrase = 'Test SDF Network ; September 2015' } = options
  const profile: StellarWalletProfile | undefined = findProfile(stellarProfiles, options.profile)
  const address = keypair.publicKey()
  // the SDK's types ask for a `Buffer`; its code takes any bytes, and copies them
  const sign = (bytes: Uint8Array) => Uint8Array.from(keypair.sign(bytes as never))
  const prompts: FakeStellarWallet['prompts'][number][] = []
  const prompt = (method: FakeStellarWallet['prompts'][number]) =>
    askPerson(options, prompts.push(method), { code: -4, message: 'The user rejected this request.' })
  const answer = async (
    method: 'signMessage' | 'signTransaction',
    payload: string,
    honest: Record<string, string>,
  ): Promise<unknown> => {
    const play = profile?.play[method]
    return play === undefined ? honest : play(honest, { payload, sign })
  }
  return {
    prompts,
    getAddress: async () => ({ address }),
    getNetwork: async () => ({ network: networkPassphrase, networkPassphrase }),
    signMessage: async (message) => {
      await prompt('signMessage')
      // with the SDK, which a test without Stellar need not have
      const { messageDigest } = await import('../../../redeemkit/stellar/authMessage/messageDigest.ts')
      const signedMessage = hexOf(sign(messageDigest(message)))
      return answer('signMessage', message, { signedMessage, signerAddress: address })
    },
    signTransaction: async (transactionXdr) => {
      await prompt('signTransaction')
      const { TransactionBuilder } = await import('@stellar/stellar-sdk')
      const transaction = TransactionBuilder.fromXDR(transactionXdr, networkPassphrase)
      // the SDK's own, by the option's docstring
      transaction.sign(keypair as Keypair)
      return answer('signTransaction', transactionXdr, {
        signedTxXdr: transaction.toXDR(),
        signerAddress: address,
      })
    },
  }
}

export declare namespace fakeStellarWallet {
  type Options = PersonOptions & {
    /** A `Keypair` of the SDK. */
    keypair: { publicKey: () => string; sign: (data: never) => Uint8Array }
    networkPassphrase?: string | undefined
    /** A misbehaviour of a real wallet, by its name. */
    profile?: StellarProfileName | undefined
  }
  type ReturnType = FakeStellarWallet
  type ErrorType = checkOptions.ErrorType
}

/** The names of the profiles that {@link fakeStellarWallet} plays. */
export type StellarProfileName = (typeof stellarProfiles)[number]['name']

/** A SEP-43 wallet, and what it was asked for. */
export type FakeStellarWallet = {
  getAddress: () => Promise<{ address: string }>
  getNetwork: () => Promise<{ network: string; networkPassphrase: string }>
  signMessage: (message: string) => Promise<unknown>
  signTransaction: (transactionXdr: string) => Promise<unknown>
  readonly prompts: readonly ('signMessage' | 'signTransaction')[]
}

const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

import type { Keypair } from '@stellar/stellar-sdk'
import { formatBase64, parseBase64 } from '../../../redeemkit/core/base64.ts'
import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
import { stellarProfiles } from './stellarProfiles.ts'
import {
  findProfile,
  promptUser,
  type StellarWalletProfile,
  type UserOptions,
  userKinds,
} from './walletProfile.ts'

/**
 * Creates a Stellar wallet for tests, with the interface of SEP-43. The wallet makes real signatures, and fails as configured or like a
 * real wallet with a reported defect.
 *
 * @param options.keypair a `Keypair` of the SDK that contains the secret
 * @param options.networkPassphrase the wallet's network. Default: testnet
 * @param options.profile one of the names in `walletProfiles` whose family is `stellar`
 * @throws InvalidOptionError for a misspelled, missing or mistyped option, or an unknown profile
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
  checkOptions(options, { ...userKinds, keypair: 'object', networkPassphrase: 'string?', profile: 'any' })
  const { keypair, networkPassphrase = 'Test SDF Network ; September 2015' } = options
  const profile: StellarWalletProfile | undefined = findProfile(stellarProfiles, options.profile)
  const address = keypair.publicKey()
  // The SDK's types require a `Buffer`, but its code accepts any bytes.
  const sign = (bytes: Uint8Array) => Uint8Array.from(keypair.sign(bytes as never))
  const prompts: FakeStellarWallet['prompts'][number][] = []
  const prompt = (method: FakeStellarWallet['prompts'][number]) =>
    promptUser(options, prompts.push(method), { code: -4, message: 'The user rejected this request.' })
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
      // The SDK is loaded here, because it is optional.
      const { messageDigest } = await import('../../../redeemkit/stellar/authMessage/parseAuthMessage.ts')
      const signedMessage = hexOf(sign(messageDigest(message)))
      return answer('signMessage', message, { signedMessage, signerAddress: address })
    },
    signTransaction: async (transactionXdr) => {
      await prompt('signTransaction')
      const { TransactionBuilder } = await import('@stellar/stellar-sdk')
      const transaction = TransactionBuilder.fromXDR(transactionXdr, networkPassphrase)
      // The caller passes a `Keypair` of the SDK, as documented.
      transaction.sign(keypair as Keypair)
      return answer('signTransaction', transactionXdr, {
        signedTxXdr: transaction.toXDR(),
        signerAddress: address,
      })
    },
    signAuthEntry: async (preimageXdr) => {
      await prompt('signAuthEntry')
      const { hash } = await import('@stellar/stellar-sdk')
      const signature = sign(hash(parseBase64(preimageXdr, 'preimageXdr') as never))
      return { signedAuthEntry: formatBase64(signature), signerAddress: address }
    },
  }
}

export declare namespace fakeStellarWallet {
  type Options = UserOptions & {
    /** A `Keypair` of the SDK. */
    keypair: { publicKey: () => string; sign: (data: never) => Uint8Array }
    networkPassphrase?: string | undefined
    /** Name of a known defect of a real wallet. */
    profile?: StellarProfileName | undefined
  }
  type ReturnType = FakeStellarWallet
  type ErrorType = checkOptions.ErrorType
}

/** Names of the profiles of {@link fakeStellarWallet}. */
export type StellarProfileName = (typeof stellarProfiles)[number]['name']

/** A SEP-43 wallet that records its prompts. */
export type FakeStellarWallet = {
  getAddress: () => Promise<{ address: string }>
  getNetwork: () => Promise<{ network: string; networkPassphrase: string }>
  signMessage: (message: string) => Promise<unknown>
  signTransaction: (transactionXdr: string) => Promise<unknown>
  signAuthEntry: (preimageXdr: string) => Promise<unknown>
  readonly prompts: readonly ('signMessage' | 'signTransaction' | 'signAuthEntry')[]
}

const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

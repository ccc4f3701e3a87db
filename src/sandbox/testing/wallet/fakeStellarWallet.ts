import type { Keypair } from '@stellar/stellar-sdk'
import { formatBase64, parseBase64 } from '../../../redeemkit/core/base64.ts'
import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
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

/** Known defects of Stellar wallets, with their public reports. */
export const stellarProfiles = [
  {
    name: 'freighter-buffer-as-json',
    wallet: 'Freighter 5.24',
    reported: 'https://github.com/stellar/freighter/issues/1626',
    what: 'A signed message is a JSON-serialized Buffer.',
    play: {
      signMessage: ({ signedMessage = '', ...answer }) => ({
        ...answer,
        signedMessage: { type: 'Buffer', data: bytesOfHex(signedMessage) },
      }),
    },
  },
  {
    name: 'freighter-base64',
    wallet: 'Freighter',
    reported: 'https://github.com/Creit-Tech/Stellar-Wallets-Kit/issues/105',
    what: 'A signed message is base64 instead of hex (SEP-43).',
    play: {
      signMessage: ({ signedMessage = '', ...answer }) => ({
        ...answer,
        signedMessage: base64Of(signedMessage),
      }),
    },
  },
  {
    name: 'wallets-kit-encodes-twice',
    wallet: 'Freighter behind Stellar Wallets Kit',
    reported: 'https://github.com/Creit-Tech/Stellar-Wallets-Kit/issues/68',
    what: 'A signed message is encoded as base64 twice.',
    play: {
      signMessage: ({ signedMessage = '', ...answer }) => ({
        ...answer,
        signedMessage: btoa(base64Of(signedMessage)),
      }),
    },
  },
  {
    name: 'freighter-decodes-before-it-signs',
    wallet: 'Freighter',
    reported: 'https://github.com/stellar/freighter/issues/2128',
    what: 'It decodes the message as base64, and signs the resulting bytes.',
    play: {
      signMessage: (answer, { payload, sign }) => {
        const letters = payload.replace(/[^\w+/]/g, '').replaceAll('_', '')
        const decoded = atob(letters.slice(0, letters.length - (letters.length % 4)))
        const signature = sign(Uint8Array.from(decoded, (letter) => letter.charCodeAt(0)))
        return { ...answer, signedMessage: formatBase64(signature) }
      },
    },
  },
  {
    name: 'freighter-refuses-messages',
    wallet: 'Freighter',
    reported: 'https://github.com/stellar/freighter/issues/2100',
    what: 'It reports every message as rejected by the user.',
    play: {
      signMessage: () => ({
        signedMessage: '',
        signerAddress: '',
        error: { code: -4, message: 'The user rejected this request.' },
      }),
    },
  },
  {
    name: 'rabet-invalid-xdr',
    wallet: 'Rabet behind Stellar Wallets Kit',
    reported: 'https://github.com/Creit-Tech/Stellar-Wallets-Kit/issues/17',
    what: 'It rejects a contract call as invalid, with a string instead of an error.',
    play: { signTransaction: () => Promise.reject('Invalid XDR') },
  },
] as const satisfies readonly StellarWalletProfile[]

const bytesOfHex = (hex: string) => (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))
const base64Of = (hex: string) => formatBase64(Uint8Array.from(bytesOfHex(hex)))

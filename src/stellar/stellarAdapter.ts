import { UnsupportedBlockchainError } from '../core/blockchains.ts'
import type { ChainAdapter } from '../core/chainAdapter.ts'
import { signAuthMessage } from './authMessage/signAuthMessage.ts'
import { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
import { networkOf, type StellarEnvironment } from './networks.ts'
import { type StellarSigner, toSigner } from './signer/toSigner.ts'

/**
 * One Stellar wallet behind the type that `login` and the other folders without a chain know.
 *
 * There are no credits and no EIP-3009 authorizations on Stellar: the type has no word for them, and a call all the same
 * is an `UnsupportedBlockchainError`.
 *
 * @throws `UnknownNetworkError`
 * @example
 * ```ts
 * import { Keypair } from '@stellar/stellar-sdk'
 * import { stellarAdapter } from 'redeemkit/stellar'
 * const adapter = stellarAdapter({ signer: Keypair.random(), environment: 'sandbox' })
 * adapter.blockchain // 'stellar'
 * ```
 */
export function stellarAdapter(options: stellarAdapter.Options): ChainAdapter<'stellar', 'stellar'> {
  const network = networkOf(options?.environment)
  const { signer, environment, serverKey, via } = options
  const adapter: ChainAdapter<'stellar', 'stellar'> = {
    family: 'stellar',
    blockchain: 'stellar',
    getAddress: async () => (await toSigner(signer, network)).address,
    async signAuthMessage(challenge, expectation) {
      // Field by field: what else the service or a caller sends along must not become an option.
      const { message, transaction } = challenge
      const { domains, allowPlainText, now } = expectation
      const asked = { message, transaction, domains, allowPlainText, now }
      return signAuthMessage(signer, { ...asked, environment, serverKey, via })
    },
    async verifyAuthMessage({ message, transaction }, { signedMessage }) {
      const { address } = await toSigner(signer, network)
      return verifyAuthMessage({ message, transaction, environment, signedMessage, address })
    },
  }
  return Object.freeze({ ...absent, ...adapter })
}

export declare namespace stellarAdapter {
  type Options = {
    /** A SEP-43 wallet, or a `Keypair` of the SDK. */
    signer: StellarSigner
    environment: StellarEnvironment
    /** The service's signing key, when it is known: the only one a challenge transaction may come from. */
    serverKey?: string | undefined
    /** Which sign-in to sign. Default: the text, when the wallet has `signMessage`. */
    via?: 'message' | 'transaction' | undefined
  }
  /**
   * At the making of the adapter, and by the calls that Stellar has not; its others throw what `signAuthMessage` and
   * `verifyAuthMessage` throw.
   */
  type ErrorType = networkOf.ErrorType | UnsupportedBlockchainError
}

/** What other chains have and Stellar has not: for callers without types, who would otherwise meet `undefined`. */
const absent = Object.fromEntries(
  ['signCreditPermit', 'cancelCreditPermit', 'signUsdcAuthorization', 'cancelUsdcAuthorization'].map(
    (name) => [
      name,
      async () => {
        throw new UnsupportedBlockchainError(`${name} does not exist on Stellar.`, {
          field: 'blockchain',
          fix: 'Pay with usdcTransfer or stellarTransaction: Stellar has no credits and no EIP-3009.',
        })
      },
    ],
  ),
)

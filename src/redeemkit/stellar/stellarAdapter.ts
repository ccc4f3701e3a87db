import { UnsupportedBlockchainError } from '../core/blockchains.ts'
import type { ChainAdapter } from '../core/chainAdapter.ts'
import { type ChallengeTerms, parseAuthMessage } from './authMessage/parseAuthMessage.ts'
import { signAuthMessage } from './authMessage/signAuthMessage.ts'
import { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
import { parseTransaction } from './envelope/envelope.ts'
import { networkOf, type StellarEnvironment } from './networks.ts'
import { type StellarSigner, toSigner } from './signer/toSigner.ts'

/**
 * Creates a chain adapter for `login` from one Stellar wallet. Stellar has no credits and no EIP-3009 authorizations,
 * so the type lacks those functions; calling one throws an `UnsupportedBlockchainError`.
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
  const { signer, environment, serverKey, memoId, clientDomain, via } = options
  const terms = { environment, serverKey, memoId, clientDomain }
  const adapter: ChainAdapter<'stellar', 'stellar'> = {
    family: 'stellar',
    blockchain: 'stellar',
    getAddress: async () => (await toSigner(signer, network)).address,
    async signAuthMessage(challenge, expectation) {
      // Copied field by field, so that an unknown field of the challenge cannot become an option.
      const { message, transaction } = challenge
      const { domains, allowPlainText, now } = expectation
      const asked = { message, transaction, domains, allowPlainText, now }
      return signAuthMessage(signer, { ...asked, ...terms, via })
    },
    async verifyAuthMessage({ message, transaction }, { signedMessage }, expectation) {
      const { address } = await toSigner(signer, network)
      const asked = { ...terms, signedMessage, address, now: expectation?.now }
      // 88 base64 characters are 64 bytes: the signature of text.
      if (transaction === undefined || signedMessage?.length === 88)
        return verifyAuthMessage({ ...asked, message })
      const key = serverKey ?? parseTransaction(transaction, network).transaction.source
      const domains = expectation?.domains ?? [parseAuthMessage(message).domain]
      return verifyAuthMessage({ ...asked, transaction, domains, serverKey: key })
    },
  }
  return Object.freeze({ ...absent, ...adapter })
}

export declare namespace stellarAdapter {
  type Options = ChallengeTerms & {
    /** A SEP-43 wallet, or a `Keypair` of the SDK. */
    signer: StellarSigner
    environment: StellarEnvironment
    /** Whether to sign the text or the challenge transaction. Default: the text if the wallet has `signMessage`. */
    via?: 'message' | 'transaction' | undefined
  }
  /**
   * Errors that `stellarAdapter` and the functions that Stellar lacks can throw. The other functions throw the errors
   * of `signAuthMessage` and `verifyAuthMessage`.
   */
  type ErrorType = networkOf.ErrorType | UnsupportedBlockchainError
}

/**
 * Functions of other chains' adapters that Stellar does not support. They throw instead of being `undefined`, for untyped callers.
 */
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

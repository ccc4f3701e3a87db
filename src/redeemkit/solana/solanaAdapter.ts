import type { Environment } from '../core/blockchains.ts'
import type { ChainAdapter } from '../core/chainAdapter.ts'
import type { InvalidOptionError, UnknownNetworkError } from '../core/errors/inputErrors.ts'
import { signAuthMessage } from './authMessage/signAuthMessage.ts'
import { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
import { checkOptions } from './checkOptions.ts'
import { networkOf } from './networks.ts'
import { addressOf, type SolanaSigner } from './signer/solanaSigner.ts'

/**
 * Creates a chain adapter for `login` from one Solana wallet. The adapter only signs in: Solana has no credits and no
 * EIP-3009 authorizations.
 *
 * @throws {@link UnknownNetworkError} for an unknown environment; when used, the errors of
 *   {@link signAuthMessage}
 * @example
 * ```ts
 * import { solanaAdapter, type SolanaSigner } from 'redeemkit/solana'
 *
 * declare const wallet: SolanaSigner
 * const adapter = solanaAdapter({ signer: wallet, environment: 'sandbox' })
 * ```
 */
export function solanaAdapter(options: solanaAdapter.Options): ChainAdapter<'solana', 'solana'> {
  const { signer, environment, use } = checkOptions(options)
  networkOf(environment)
  return {
    family: 'solana',
    blockchain: 'solana',
    // Read on each call, because the user may have switched accounts.
    getAddress: async () => addressOf(signer),
    // Copied field by field, so that an unknown field of the challenge cannot become an option.
    signAuthMessage: ({ message, transaction }, { domains, allowPlainText, now }) =>
      signAuthMessage(signer, { message, transaction, domains, allowPlainText, now, environment, use }),
    verifyAuthMessage: async ({ message, transaction }, { signedMessage }) =>
      verifyAuthMessage({ message, transaction, address: addressOf(signer), signedMessage }),
  }
}

export declare namespace solanaAdapter {
  type Options = {
    signer: SolanaSigner
    environment: Environment
    /** `transaction` for a hardware wallet; see {@link signAuthMessage}. */
    use?: 'message' | 'transaction' | undefined
  }
  /** Errors that `solanaAdapter` throws itself. The adapter's functions throw the errors of the functions that they wrap. */
  type ErrorType = InvalidOptionError | UnknownNetworkError
}

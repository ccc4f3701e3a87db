import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import type { askWallet } from '../../evm/signer/askWallet.ts'
import { parseTempoSignature } from '../signature/parseTempoSignature.ts'
import { serializeTempoSignature } from '../signature/serializeTempoSignature.ts'
import { keychainDigest } from '../signature/tempoSignature.ts'
import type { tempoSignatures } from '../verify/tempoSignatures.ts'
import type { WebAuthnExpectation } from '../verify/webAuthnExpectation.ts'
import { askKey, type TempoSigner, tempoSigner } from './tempoSigner.ts'

/**
 * Creates a signer that signs for an account with an access key (Keychain V2). The account must have authorized the key on chain.
 *
 * @param options.account the account that the key acts for, which becomes the signer's `address`
 * @param options.key the access key: a `webCryptoSigner`, a `passkeySigner`, or a viem account with `sign`
 * @throws {@link InvalidSignatureError} if the key returns a Keychain signature itself
 * @see Tempo Transactions, "Keychain V2"
 * @example
 * ```ts
 * import { accessKeySigner } from 'redeemkit/tempo'
 * import { privateKeyToAccount } from 'viem/accounts'
 *
 * const signer = accessKeySigner({
 *   account: '0x480F8659821A7a5f6209cDA338A53E9Dea09DB46',
 *   key: privateKeyToAccount(`0x${'01'.repeat(32)}`),
 * })
 * await signer.sign({ hash: `0x${'22'.repeat(32)}` }) // '0x04480f86…'
 * ```
 */
export function accessKeySigner(options: accessKeySigner.Options): TempoSigner {
  checkOptions(options, { account: 'any', key: 'any', webAuthn: 'any' })
  const account = checkAddress(options.account, 'account')
  const sign = async (digest: Hex) => {
    const inner = parseTempoSignature(await askKey(options.key, keychainDigest({ digest, account })))
    if (inner.type === 'keychain')
      throw new InvalidSignatureError('The access key returned a Keychain signature.', {
        field: 'key',
        fix: 'Pass the access key itself, not a signer that already acts for an account.',
      })
    return serializeTempoSignature({ type: 'keychain', version: 2, account, inner })
  }
  return tempoSigner(account, sign, options.webAuthn)
}

export declare namespace accessKeySigner {
  type Options = {
    account: Address
    key: { sign: (parameters: { hash: Hex }) => Promise<Hex> }
    /** If the key is a passkey: the expected relying party and pages. */
    webAuthn?: WebAuthnExpectation | undefined
  }
  type ErrorType =
    | InvalidSignatureError
    | serializeTempoSignature.ErrorType
    | tempoSignatures.ErrorType
    | askWallet.ErrorType
}

import type { Environment, EvmBlockchain } from '../core/blockchains.ts'
import type { ChainAdapter } from '../core/chainAdapter.ts'
import { checkOptions } from '../core/checkOptions.ts'
import { type InvalidOptionError, UnknownNetworkError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { signAuthMessage } from './authMessage/signAuthMessage.ts'
import { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
import type { EvmClient } from './client.ts'
import { networkOf, networks } from './networks.ts'
import type { SignatureScheme } from './signature/signatureScheme.ts'
import { loadCurve } from './signature/verifyDigest.ts'
import { type EvmSigner, toSigner, type UnsupportedSignerError } from './signer/toSigner.ts'
import { checkChainId, checkHex, type InvalidChainIdError } from './values.ts'

/**
 * Creates an adapter for an EVM wallet on one network, for functions that work on every chain, such as `login(client, { adapter })`.
 *
 * @param options.signer viem account, wallet client, EIP-1193 provider, or ethers v6 signer
 * @throws UnknownNetworkError for a network that the service does not support, UnsupportedSignerError, InvalidOptionError
 * @example
 * ```ts
 * import { evmAdapter } from 'redeemkit/evm'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const adapter = evmAdapter({
 *   signer: privateKeyToAccount(`0x${'01'.repeat(32)}`),
 *   blockchain: 'base',
 *   environment: 'sandbox',
 * })
 * adapter.family // 'evm'
 * ```
 */
export function evmAdapter(options: evmAdapter.Options): ChainAdapter<'evm', EvmBlockchain> {
  checkOptions(options, {
    signer: 'any',
    blockchain: 'any',
    client: 'object?',
    signatures: 'object?',
    environment: 'any',
    chainId: 'any',
  })
  const { blockchain, client } = options
  const chainId = chainIdOf(options)
  const signer = toSigner(options.signer)
  return Object.freeze({
    family: 'evm',
    blockchain,
    getAddress: () => signer.getAddress(),
    signAuthMessage: async ({ message }, { domains, allowPlainText, now }) => {
      // `verifyAuthMessage` needs viem's secp256k1 code. If that cannot be loaded, do not prompt the user for a useless signature.
      await loadCurve()
      return signAuthMessage(options.signer, { message, chainId, domains, allowPlainText, now })
    },
    verifyAuthMessage: async (challenge, signed) =>
      verifyAuthMessage({
        message: challenge.message,
        address: await signer.getAddress(),
        signature: checkHex(signed.signedMessage, 'signedMessage'),
        chainId,
        client,
        signatures: options.signatures ?? signer.signatures,
      }),
  } satisfies ChainAdapter<'evm', EvmBlockchain>)
}

export declare namespace evmAdapter {
  type Options = {
    signer: EvmSigner
    blockchain: EvmBlockchain
    /** Reads the chain to verify signatures of accounts with code. */
    client?: EvmClient | undefined
    /** Verifies signature types that only one chain has: `tempoSignatures()` from `redeemkit/tempo`. Default: the signer's own scheme. */
    signatures?: SignatureScheme | undefined
  } & (
    | { environment: Environment; chainId?: number | undefined }
    | {
        environment?: Environment | undefined
        /**
         * Chain id of the network. A local chain may have any id that no other network of the service has. For Tempo, pass 4217 or
         * 42431 (on a local chain 42431): only these accept signatures by passkeys and access keys.
         */
        chainId: number
      }
  )
  type ErrorType = networkOf.ErrorType | InvalidChainIdError | InvalidOptionError | UnsupportedSignerError
}

function chainIdOf(options: evmAdapter.Options): number {
  const { blockchain, environment } = options
  if (options.chainId === undefined) {
    if (environment === undefined)
      throw new UnknownNetworkError(`${showValue(blockchain)} has several networks, and none was chosen.`, {
        field: 'environment',
        fix: 'Pass environment, "sandbox" or "prod", or a chainId.',
      })
    return networkOf({ blockchain, environment }).chainId
  }
  const chainId = checkChainId(options.chainId, 'chainId')
  const known = networks.find((network) => network.chainId === chainId)
  if (
    (known !== undefined && known.blockchain !== blockchain) ||
    (known === undefined && blockchain === 'tempo') ||
    (known !== undefined && environment !== undefined && known.environment !== environment) ||
    !networks.some((network) => network.blockchain === blockchain)
  )
    throw new UnknownNetworkError(
      `Chain ${chainId} is ${known?.name ?? 'unknown'}, not ${showValue(blockchain)}${environment === undefined ? '' : ` in ${showValue(environment)}`}.`,
      { field: 'chainId', fix: 'Pass the chain id of this blockchain, 42431 for a local Tempo chain.' },
    )
  return chainId
}

import { hashMessage, isHex } from 'viem'
import { type ChainFamily, type Environment, isEvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { parseSiweMessage } from '../../../redeemkit/evm/authMessage/siweMessage.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { isTempoChain } from '../../../redeemkit/evm/networks.ts'
import { verifyTempoSignature } from '../../../redeemkit/tempo/signature/checkTempoSignature.ts'
import { type AuthVerifier, signInStatement } from '../../chains/authVerifier.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { loadOnce } from '../../concurrency.ts'
import { invalid } from '../http/problem.ts'

/** Accepts EIP-4361 messages signed by a key or a contract (ERC-1271, ERC-6492); on Tempo also by a P-256 key, passkey or access key. */
export function evmAuthVerifier(chains: ReadonlyMap<string, EvmChain>): AuthVerifier {
  const chainOf = (blockchain: string): EvmChain => {
    const chain = isEvmBlockchain(blockchain) ? chains.get(blockchain) : undefined
    if (chain === undefined) throw invalid('blockchain', `This service does not support ${blockchain}.`)
    return chain
  }
  return {
    parseWallet: (text) => checkNonZeroAddress(text, 'wallet'),
    createChallenge: async ({ blockchain, wallet, domain, uri, nonce, issuedAt, expiresAt }) => {
      // viem's `createSiweMessage` is not used, because it rejects IPv6 hosts.
      const message = [
        `${domain} wants you to sign in with your Ethereum account:`,
        checkNonZeroAddress(wallet, 'wallet'),
        '',
        signInStatement,
        '',
        `URI: ${uri}`,
        'Version: 1',
        `Chain ID: ${chainOf(blockchain).chainId}`,
        `Nonce: ${nonce}`,
        `Issued At: ${issuedAt.toISOString()}`,
        `Expiration Time: ${expiresAt.toISOString()}`,
      ].join('\n')
      try {
        parseSiweMessage(message)
      } catch (cause) {
        if (!(cause instanceof BaseError)) throw cause
        throw invalid('host', `${showValue(domain)} cannot be named in a sign-in message (EIP-4361).`, cause)
      }
      return { message }
    },
    verify: async ({ blockchain, wallet, message, signedMessage, now }) => {
      if (!isHex(signedMessage) || signedMessage.length % 2 !== 0) return false
      // A contract wallet may accept an empty signature for a message approved on chain, but anyone could send that.
      if (signedMessage === '0x') return false
      // The service wrote the message, so the strict parser accepts it.
      const parsed = parseSiweMessage(message)
      if (parsed.address !== wallet || now.getTime() >= (parsed.expirationTime ?? 0)) return false
      const chain = chainOf(blockchain)
      if (parsed.chainId !== chain.chainId) return false
      const address = checkNonZeroAddress(wallet, 'wallet')
      const { client } = chain
      if (isTempoChain(chain.chainId)) {
        const digest = hashMessage(message)
        if (await verifyTempoSignature({ account: address, digest, signature: signedMessage, client }))
          return true
      }
      return client.verifyMessage({ address, message, signature: signedMessage })
    },
  }
}

/** Loads each verifier at the first sign-in, because Stellar's needs an optional package. Returns undefined without that package. */
export function authVerifiers(options: {
  environment: Environment
  chains: ReadonlyMap<string, EvmChain>
}): (family: ChainFamily) => Promise<AuthVerifier | undefined> {
  const { environment, chains } = options
  const load: Record<ChainFamily, () => Promise<AuthVerifier>> = {
    evm: loadOnce(async () => evmAuthVerifier(chains)),
    solana: loadOnce(async () =>
      (await import('../../chains/solana/solanaAuth.ts')).solanaAuth({ environment }),
    ),
    stellar: loadOnce(async () =>
      (await import('../../chains/stellar/stellarAuth.ts')).stellarAuth({ environment }),
    ),
  }
  return (family) =>
    load[family]().catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
      throw error
    })
}

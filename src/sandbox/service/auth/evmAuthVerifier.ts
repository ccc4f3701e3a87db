import { hashMessage, isHex } from 'viem'
import { isEvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { isTempoChain } from '../../../redeemkit/evm/networks.ts'
import { verifyTempoSignature } from '../../../redeemkit/tempo/verify/checkTempoSignature.ts'
import type { AuthVerifier } from '../../chains/authVerifier.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { problem } from '../http/problem.ts'

/**
 * Sign-in on EVM chains: EIP-4361 text, signed by a key, by a contract (ERC-1271), or by a contract that is not there
 * yet (ERC-6492, simulated in the node); on Tempo also by a P-256 key, a passkey or an access key.
 */
export function evmAuthVerifier(chains: ReadonlyMap<string, EvmChain>): AuthVerifier {
  const chainOf = (blockchain: string): EvmChain => {
    const chain = isEvmBlockchain(blockchain) ? chains.get(blockchain) : undefined
    if (chain === undefined)
      throw problem('INVALID_REQUEST', `This service does not serve ${blockchain}.`, {
        issues: ['blockchain'],
      })
    return chain
  }
  return {
    parseWallet: (text) => checkNonZeroAddress(text, 'wallet'),
    createChallenge: async ({ blockchain, wallet, domain, uri, nonce, issuedAt, expiresAt }) => {
      const SiweMessage = await loadSiwe()
      const message = new SiweMessage({
        domain,
        address: wallet,
        statement: 'Sign in to the payments service. This costs nothing and moves nothing.',
        uri,
        version: '1',
        chainId: chainOf(blockchain).chainId,
        nonce,
        issuedAt: issuedAt.toISOString(),
        expirationTime: expiresAt.toISOString(),
      })
      return { message: message.prepareMessage() }
    },
    verify: async ({ blockchain, wallet, message, signedMessage, now }) => {
      if (!isHex(signedMessage) || signedMessage.length % 2 !== 0) return false
      // How a contract approves on chain, and as a credential what everybody could say.
      if (signedMessage === '0x') return false
      // Our own text, read back by the strict parser: a text that it refuses was never asked for.
      const SiweMessage = await loadSiwe()
      const parsed = new SiweMessage(message)
      if (parsed.address !== wallet || now.toISOString() >= (parsed.expirationTime ?? '')) return false
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

/** With all of ethers behind it, a tenth of the time that a start takes. */
const loadSiwe = async () => (await import('siwe')).SiweMessage

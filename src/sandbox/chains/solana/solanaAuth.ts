import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import { InvalidAddressError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { isOnCurve, parseAddress } from '../../../redeemkit/solana/address.ts'
import {
  impossibleBlockhash,
  parseAuthMessage,
} from '../../../redeemkit/solana/authMessage/parseAuthMessage.ts'
import { verifyAuthMessage } from '../../../redeemkit/solana/authMessage/verifyAuthMessage.ts'
import { formatBase58, parseBase58 } from '../../../redeemkit/solana/encoding.ts'
import { networkOf } from '../../../redeemkit/solana/networks.ts'
import { encodeMessage, encodeTransaction } from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'
import { type AuthVerifier, signInStatement } from '../authVerifier.ts'

/** The challenge is a Sign In With Solana message. For hardware wallets, it is the memo of a transaction that can never be included. */
export function solanaAuth(options: { environment: Environment }): AuthVerifier {
  const [chainId] = networkOf(options.environment).chainIds
  return {
    parseWallet: (text) => {
      const wallet = parseAddress(text, { field: 'wallet' })
      if (isOnCurve(parseBase58(wallet, { field: 'wallet' }))) return wallet
      throw new InvalidAddressError(`${wallet} has no private key and cannot sign in.`, {
        field: 'wallet',
        fix: 'Sign in with a wallet address, not with a token account or a program-derived address.',
      })
    },
    createChallenge: async ({ wallet, domain, uri, nonce, issuedAt, expiresAt }) => {
      const message = `${domain} wants you to sign in with your Solana account:
${wallet}

${signInStatement}

URI: ${uri}
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${issuedAt.toISOString()}
Expiration Time: ${expiresAt.toISOString()}`
      const memo = { program: programs.memo, accounts: [], data: new TextEncoder().encode(message) }
      const bytes = encodeTransaction({
        signatures: [new Uint8Array(64)],
        message: encodeMessage({
          payer: wallet,
          blockhash: impossibleBlockhash,
          instructions: [memo],
          legacy: true,
        }),
      })
      return { message, transaction: formatBase58(bytes) }
    },
    verify: async ({ wallet, message, transaction, signedMessage, now }) => {
      try {
        const parsed = parseAuthMessage(message)
        if (parsed.address !== wallet || parsed.chainId !== chainId || parsed.expiresAt <= now.getTime())
          return false
        return await verifyAuthMessage({ address: wallet, message, transaction, signedMessage })
      } catch {
        return false
      }
    },
  }
}

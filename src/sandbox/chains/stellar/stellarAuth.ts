import { createHash, randomBytes } from 'node:crypto'
import { InvalidAddressError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import {
  networkOf,
  type StellarEnvironment,
  type StellarNetwork,
} from '../../../redeemkit/stellar/networks.ts'
import {
  Account,
  Keypair,
  Operation,
  Transaction,
  TransactionBuilder,
} from '../../../redeemkit/stellar/sdk.ts'
import { type AuthVerifier, type SignedChallenge, signInStatement } from '../authVerifier.ts'

/** Lifetime of a challenge transaction: as long as the service accepts the challenge. */
const challengeSeconds = 600
/** Maximum length of a data entry's name. */
const maxNameBytes = 64

/**
 * The challenge is a message in the documented layout and, for wallets that cannot sign text, a SEP-10 transaction. Uses the SDK and none
 * of the client's code, so that a mistake in one of them is caught by the other.
 */
export function stellarAuth(options: stellarAuth.Options = {}): stellarAuth.ReturnType {
  const network = networkOf(options.environment ?? 'sandbox')
  const server = Keypair.random()
  const context: Context = { network, server, random: options.random ?? randomBytes }
  return {
    serverKey: server.publicKey(),
    parseWallet(text) {
      try {
        return Keypair.fromPublicKey(text).publicKey()
      } catch (cause) {
        throw new InvalidAddressError(`${showValue(text, 60)} is not a Stellar account address.`, {
          field: 'wallet',
          cause,
          fix: 'Pass the 56-character address that begins with G.',
        })
      }
    },
    async createChallenge({ wallet, domain, uri, nonce, issuedAt, expiresAt }) {
      const message = `${domain} wants you to sign in with your Stellar account:
${wallet}

${signInStatement}

URI: ${uri}
Version: 1
Network: ${network.name}
Nonce: ${nonce}
Issued At: ${issuedAt.toISOString()}
Expiration Time: ${expiresAt.toISOString()}`
      const transaction = challengeTransaction({ ...context, wallet, domain, issuedAt })
      return transaction === undefined ? { message } : { message, transaction }
    },
    async verify(signed) {
      try {
        const [, expiration = ''] = /\nExpiration Time: (.+)$/.exec(signed.message) ?? []
        return signed.now.getTime() < Date.parse(expiration) && isSigned(signed, context)
      } catch {
        return false
      }
    },
  }
}

export declare namespace stellarAuth {
  type Options = {
    environment?: StellarEnvironment | undefined
    random?: ((length: number) => Uint8Array) | undefined
  }
  type ReturnType = AuthVerifier & {
    serverKey: string
  }
}

type Context = { network: StellarNetwork; server: Keypair; random: (length: number) => Uint8Array }

function challengeTransaction(
  options: Context & { wallet: string; domain: string; issuedAt: Date },
): string | undefined {
  const { network, server, random, wallet, domain, issuedAt } = options
  const name = `${domain} auth`
  // A data entry cannot hold such a long domain, so the wallet must sign the message.
  if (Buffer.byteLength(name) > maxNameBytes) return undefined
  const seconds = Math.floor(issuedAt.getTime() / 1000)
  // The builder adds 1, so the challenge gets sequence number 0, which no account accepts.
  const transaction = new TransactionBuilder(new Account(server.publicKey(), '-1'), {
    fee: '100',
    networkPassphrase: network.networkPassphrase,
    timebounds: { minTime: seconds, maxTime: seconds + challengeSeconds },
  })
    .addOperation(
      Operation.manageData({ name, value: Buffer.from(random(48)).toString('base64'), source: wallet }),
    )
    .addOperation(
      Operation.manageData({ name: 'web_auth_domain', value: domain, source: server.publicKey() }),
    )
    .build()
  transaction.sign(server)
  return transaction.toXDR()
}

function isSigned(
  { wallet, message, transaction, signedMessage }: SignedChallenge,
  { network, server }: Context,
): boolean {
  const key = Keypair.fromPublicKey(wallet)
  const bytes = Buffer.from(signedMessage, 'base64')
  if (bytes.toString('base64') !== signedMessage) return false
  if (bytes.length === 64) {
    const digest = createHash('sha256').update(`Stellar Signed Message:\n${message}`, 'utf8').digest()
    return key.verify(digest, bytes)
  }
  if (transaction === undefined) return false
  const issued = new Transaction(transaction, network.networkPassphrase)
  const signed = new Transaction(signedMessage, network.networkPassphrase)
  const digest = issued.hash()
  return (
    issued.source === server.publicKey() &&
    signed.hash().equals(digest) &&
    signed.signatures.some(
      (signature) =>
        signature.hint().equals(key.signatureHint()) && key.verify(digest, signature.signature()),
    )
  )
}

import { createHash, randomBytes } from 'node:crypto'
import { Account, Keypair, Operation, Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import type { Clock } from '../../../core/time/clock.ts'
import { networkOf, type StellarEnvironment } from '../../../stellar/index.ts'

const lifeMs = 24 * 3_600_000
const challengeSeconds = 600

/**
 * The service's side of signing in on Stellar: issues the text and the challenge transaction, and verifies what came back.
 *
 * The transaction follows SEP-10 and is signed by the service's key; the text is the layout that the toolkit documents.
 * Verification is written against the SDK alone, not with the client's code. It looks at signatures only: that a challenge
 * was issued, is current and unused is the service's own book.
 *
 * @example
 * ```ts
 * import { stellarAuth } from 'redeemkit/sandbox'
 * const auth = stellarAuth({ environment: 'sandbox' })
 * auth.serverKey // 'G…', what a client may pin
 * ```
 */
export function stellarAuth(options: stellarAuth.Options = {}): stellarAuth.ReturnType {
  const network = networkOf(options.environment ?? 'sandbox')
  const server = options.serverKeypair ?? Keypair.random()
  const random = options.random ?? ((length: number) => randomBytes(length))

  const issue = (request: stellarAuth.Request): stellarAuth.Issued => {
    const { wallet, domain, uri } = request
    const issuedAt = (request.now ?? Date.now)()
    const seconds = Math.floor(issuedAt / 1000)
    const message = [
      `${domain} wants you to sign in with your Stellar account:`,
      Keypair.fromPublicKey(wallet).publicKey(),
      '',
      ...(options.statement === undefined ? [] : [options.statement, '']),
      `URI: ${uri}`,
      'Version: 1',
      `Network: ${network.name}`,
      `Nonce: ${Buffer.from(random(16)).toString('hex')}`,
      `Issued At: ${new Date(issuedAt).toISOString()}`,
      `Expiration Time: ${new Date(issuedAt + lifeMs).toISOString()}`,
    ].join('\n')
    // The builder adds one to the sequence: 0 is what the challenge has, and what no account ever accepts.
    const transaction = new TransactionBuilder(new Account(server.publicKey(), '-1'), {
      fee: '100',
      networkPassphrase: network.networkPassphrase,
      timebounds: { minTime: seconds, maxTime: seconds + challengeSeconds },
    })
      .addOperation(
        Operation.manageData({
          name: `${domain} auth`,
          value: Buffer.from(random(48)).toString('base64'),
          source: wallet,
        }),
      )
      .addOperation(
        Operation.manageData({ name: 'web_auth_domain', value: domain, source: server.publicKey() }),
      )
      .build()
    transaction.sign(server)
    return { message, transaction: transaction.toXDR() }
  }

  const verify = ({ wallet, message, transaction, signedMessage }: stellarAuth.Answer): boolean => {
    try {
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
    } catch {
      return false
    }
  }

  return {
    family: 'stellar',
    serverKey: server.publicKey(),
    issue: async (request) => issue(request),
    verify: async (answer) => verify(answer),
  }
}

export declare namespace stellarAuth {
  type Options = {
    /** Default `sandbox`. */
    environment?: StellarEnvironment | undefined
    /** The key that signs challenge transactions. Default: a fresh one. */
    serverKeypair?: Keypair | undefined
    /** One line that the sign-in text says. */
    statement?: string | undefined
    random?: ((length: number) => Uint8Array) | undefined
  }
  type Request = {
    wallet: string
    /** Host, with port when there is one. */
    domain: string
    uri: string
    now?: Clock | undefined
  }
  type Issued = { message: string; transaction: string }
  type Answer = { wallet: string; message: string; transaction?: string | undefined; signedMessage: string }
  type ReturnType = {
    family: 'stellar'
    serverKey: string
    issue: (request: Request) => Promise<Issued>
    verify: (answer: Answer) => Promise<boolean>
  }
}

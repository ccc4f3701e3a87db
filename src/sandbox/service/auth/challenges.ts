import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Blockchain } from '../../../core/blockchains.ts'
import { authChallenges } from '../../store/tables.ts'
import type { Service } from '../service.ts'
import type { AuthVerifier } from './authVerifier.ts'

/** A message must be verified once within this time (decisions, section 8). */
export const verifyWithinMs = 10 * 60_000
/** From then on its signature is a credential for this long, counted from the message's issue. */
export const credentialMs = 24 * 60 * 60_000

/** Candidates that one signature is tried against. */
const candidatesPerWallet = 20

/** SHA-256 of a secret, in hex: what the database keeps of it. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Makes a sign-in challenge for a wallet and writes it down. */
export async function issueChallenge(
  service: Service,
  options: { verifier: AuthVerifier; blockchain: Blockchain; wallet: string; url: URL },
): Promise<{ message: string; transaction?: string | undefined }> {
  const { verifier, blockchain, wallet, url } = options
  const nonce = randomBytes(16).toString('hex')
  const issuedAt = new Date(service.now())
  const expiresAt = new Date(issuedAt.getTime() + credentialMs)
  const challenge = await verifier.createChallenge({
    blockchain,
    wallet,
    domain: url.host,
    uri: url.origin,
    nonce,
    issuedAt,
    expiresAt,
  })
  const database = await service.database()
  await database
    .insert(authChallenges)
    .values({ nonce, blockchain, wallet, issuedAt, expiresAt, ...challenge })
  return challenge
}

/**
 * Whether a signed message is a credential of this wallet: one that was verified before and has not expired, or a fresh
 * signature of a message issued within the last ten minutes, which consumes the message's nonce.
 */
export async function acceptSignedMessage(
  service: Service,
  options: { verifier: AuthVerifier; blockchain: Blockchain; wallet: string; signedMessage: string },
): Promise<boolean> {
  const { verifier, blockchain, wallet, signedMessage } = options
  const database = await service.database()
  const now = new Date(service.now())
  const credentialHash = hashSecret(signedMessage)
  const ofWallet = and(
    eq(authChallenges.blockchain, blockchain),
    eq(authChallenges.wallet, wallet),
    gt(authChallenges.expiresAt, now),
  )
  const known = await database
    .select({ nonce: authChallenges.nonce })
    .from(authChallenges)
    .where(and(ofWallet, eq(authChallenges.credentialHash, credentialHash)))
    .limit(1)
  if (known.length > 0) return true
  const candidates = await database
    .select()
    .from(authChallenges)
    .where(
      and(
        ofWallet,
        isNull(authChallenges.credentialHash),
        gt(authChallenges.issuedAt, new Date(now.getTime() - verifyWithinMs)),
      ),
    )
    .orderBy(desc(authChallenges.issuedAt))
    .limit(candidatesPerWallet)
  for (const { nonce, message, transaction } of candidates) {
    const good = await verifier.verify({
      blockchain,
      wallet,
      message,
      transaction: transaction ?? undefined,
      signedMessage,
      now,
    })
    if (!good) continue
    const taken = await database
      .update(authChallenges)
      .set({ credentialHash })
      .where(and(eq(authChallenges.nonce, nonce), isNull(authChallenges.credentialHash)))
      .returning({ nonce: authChallenges.nonce })
    if (taken.length > 0) return true
    // Two requests with the same signature at once: the other one consumed the nonce a moment ago.
    return acceptSignedMessage(service, options)
  }
  return false
}

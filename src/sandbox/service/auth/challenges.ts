import { randomBytes } from 'node:crypto'
import { and, desc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import { credentialHours } from '../../../redeemkit/core/limits.ts'
import type { AuthVerifier } from '../../chains/authVerifier.ts'
import { type Database, type DatabaseWork, lockIn } from '../../store/database.ts'
import { hashSecret } from '../../store/setMerchants.ts'
import { authChallenges } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'

/** Time in which a message must be signed and verified (PROTOCOL.md 8.1). */
const verifyWithinMs = 10 * 60_000
/** Time from a message's issue until its verified signature stops being a credential. */
export const credentialMs = credentialHours * 60 * 60_000

/** Maximum number of unsigned messages per wallet and origin. Further requests get the newest of them again. */
const freshPerOrigin = 8
/** Maximum age at which a message is returned again, so that enough time remains to sign it. */
const freshMs = verifyWithinMs / 2
/** Maximum number of messages to check a signature against. It exceeds `freshPerOrigin`, so that all messages of an origin are checked. */
const candidatesPerWallet = 20

/**
 * Returns a message to sign. Anyone can request messages for a wallet, so their number is limited: otherwise, a stranger could displace the
 * wallet's own messages.
 */
export async function issueChallenge(
  service: Service,
  options: { verifier: AuthVerifier; blockchain: Blockchain; wallet: string; url: URL },
): Promise<Challenge> {
  const { verifier, blockchain, wallet, url } = options
  const { origin } = url
  const issuedAt = new Date(service.now())
  const asked: Asked = { blockchain, wallet, origin, issuedAt }
  const database = await service.database()
  await forgetOld(database, issuedAt)
  const known = await givenAgain(database, asked)
  if (known !== undefined) return known
  const nonce = randomBytes(16).toString('hex')
  const expiresAt = new Date(issuedAt.getTime() + credentialMs)
  const challenge = await verifier.createChallenge({
    blockchain,
    wallet,
    domain: url.host,
    uri: origin,
    nonce,
    issuedAt,
    expiresAt,
  })
  // The lock enforces the limit for concurrent requests, including those to other processes.
  return lockIn(database, `challenges/${blockchain}/${wallet}`, async (work) => {
    const meanwhile = await givenAgain(work, { ...asked, issuedAt: new Date(service.now()) })
    if (meanwhile !== undefined) return meanwhile
    await work.insert(authChallenges).values({ nonce, ...asked, expiresAt, ...challenge })
    return challenge
  })
}

type Challenge = { message: string; transaction?: string | undefined }
type Asked = { blockchain: Blockchain; wallet: string; origin: string; issuedAt: Date }

const before = (moment: Date, milliseconds: number) => new Date(moment.getTime() - milliseconds)

async function forgetOld(database: Database, now: Date): Promise<void> {
  await database
    .delete(authChallenges)
    .where(
      or(
        lte(authChallenges.expiresAt, now),
        and(isNull(authChallenges.credentialHash), lte(authChallenges.issuedAt, before(now, verifyWithinMs))),
      ),
    )
}

/** Returns the newest message of a wallet and origin if they have reached their limit of messages. */
async function givenAgain(
  database: Pick<DatabaseWork, 'select'>,
  { blockchain, wallet, origin, issuedAt }: Asked,
): Promise<Challenge | undefined> {
  const fresh = await database
    .select()
    .from(authChallenges)
    .where(
      and(
        eq(authChallenges.blockchain, blockchain),
        eq(authChallenges.wallet, wallet),
        eq(authChallenges.origin, origin),
        isNull(authChallenges.credentialHash),
        gt(authChallenges.issuedAt, before(issuedAt, freshMs)),
        lte(authChallenges.issuedAt, issuedAt),
      ),
    )
    .orderBy(desc(authChallenges.issuedAt))
    .limit(freshPerOrigin)
  const [newest] = fresh
  if (newest === undefined || fresh.length < freshPerOrigin) return undefined
  const { message, transaction } = newest
  return { message, ...(transaction === null ? {} : { transaction }) }
}

/**
 * Accepts a signature that was verified before and has not expired, or the first signature of a message issued within the last ten
 * minutes, which consumes the message's nonce.
 */
export async function acceptSignedMessage(
  service: Service,
  options: {
    verifier: AuthVerifier
    blockchain: Blockchain
    wallet: string
    signedMessage: string
    /** Messages for this origin are checked first. */
    origin: string
  },
): Promise<boolean> {
  const { verifier, blockchain, wallet, signedMessage, origin } = options
  const database = await service.database()
  const now = new Date(service.now())
  const credentialHash = hashSecret(signedMessage)
  const ofWallet = and(
    eq(authChallenges.blockchain, blockchain),
    eq(authChallenges.wallet, wallet),
    gt(authChallenges.expiresAt, now),
  )
  const isKnown = async () => {
    const known = await database
      .select({ nonce: authChallenges.nonce })
      .from(authChallenges)
      .where(and(ofWallet, eq(authChallenges.credentialHash, credentialHash)))
      .limit(1)
    return known.length > 0
  }
  if (await isKnown()) return true
  const candidates = await database
    .select()
    .from(authChallenges)
    .where(
      and(
        ofWallet,
        isNull(authChallenges.credentialHash),
        gt(authChallenges.issuedAt, before(now, verifyWithinMs)),
      ),
    )
    .orderBy(
      desc(sql`${authChallenges.origin} is not distinct from ${origin}`),
      desc(authChallenges.issuedAt),
    )
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
  }
  // A concurrent request with the same signature may have just consumed the nonce.
  return isKnown()
}

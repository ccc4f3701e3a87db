import type { Hex } from 'viem'
import { permitMaximumSeconds } from '../../../core/limits.ts'
import { hasCode } from '../../../evm/client/readChain.ts'
import type { CreditPermit } from '../../../evm/creditPermit/creditPermit.ts'
import { nonceState } from '../../../evm/creditPermit/nonceState.ts'
import { checkHex } from '../../../evm/values/checkHex.ts'
import { type SendGaslessTxBody, sendGaslessTxBody } from '../../../schema/index.ts'
import { readCredits } from '../../contracts/creditsReads.ts'
import { redeemRequest } from '../../contracts/redeemRequest.ts'
import { keyedLock } from '../../process/keyedLock.ts'
import { gasPrice } from '../../relayer/gasPrice.ts'
import { checkCredentials, type EvmCustomer, evmCustomer } from '../http/customer.ts'
import { findMerchant, type Merchant, unknownMerchant } from '../http/merchant.ts'
import { problem, ServiceProblem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { checkFactories, checkSignatures, unwrapSignature } from './checkSignatures.ts'
import { checkWhitelist } from './checkWhitelist.ts'
import { deployWallet } from './deployWallet.ts'
import { permitDomain } from './permitDomain.ts'
import { redeemedByOthers } from './redeemedByOthers.ts'
import { findIntent, findRedeem, type StoredIntent } from './redeemRows.ts'
import { rehearseRedeem } from './rehearseRedeem.ts'
import { relayRedeem } from './relayRedeem.ts'
import { type ResolvedIntent, resolveIntent } from './resolveIntent.ts'
import { exceedsAuthorized, insufficientCredits } from './simulationProblem.ts'

/**
 * `POST /api/redeem/evm/sendGaslessTx` (PROTOCOL.md 2.2, 3 to 7).
 *
 * Route → schema → whitelist → intent → permit and authorization → credits → simulation → fee → journal → broadcast.
 * Sending the same redeem again answers with the hash of the first one and never makes a second.
 */
export const sendGaslessTx: Route = {
  method: 'POST',
  path: '/api/redeem/evm/sendGaslessTx',
  handle: async (service, context) => {
    const body = await readBody(context, sendGaslessTxBody)
    const customer = await evmCustomer(service, context)
    const intent = resolveIntent(customer.chain, body)
    checkAuthorizationPresence(body, intent)
    await checkCredentials(service, context, { merchantId: body.merchantId })
    // One spelling in the database and in the lock.
    const nonce = checkHex(body.nonce.toLowerCase(), 'nonce', { bytes: 32 })
    const submit: Submit = { body, ...customer, intent, nonce }
    const hash = await oneAtATime(`${walletKey(service, customer)}/${nonce}`, () => answer(service, submit))
    return { hash }
  },
}

/** Two equal requests at once: the second waits for the first and answers with its hash. */
const oneAtATime = keyedLock()

function walletKey(service: Service, { chain, wallet }: EvmCustomer): string {
  return `${service.environment}/${chain.blockchain}/${wallet}`
}

type Submit = { body: SendGaslessTxBody; intent: ResolvedIntent; nonce: Hex } & EvmCustomer

/** `usdcAmount` 0 ⇔ no authorization; V1 and V2 at once is refused by the schema (PROTOCOL.md 5.4). */
function checkAuthorizationPresence(body: SendGaslessTxBody, intent: ResolvedIntent): void {
  const { customerUsdcAuthData, customerUsdcAuthDataV2 } = body.signedMessages
  const given = customerUsdcAuthData !== undefined || customerUsdcAuthDataV2 !== undefined
  if (given && intent.usdcAmount === 0n)
    throw problem('INVALID_REQUEST', 'There is a USDC authorization, but no usdcAmount that it is for.', {
      issues: ['usdcAmount'],
    })
  if (!given && intent.usdcAmount > 0n)
    throw problem('INVALID_REQUEST', 'usdcAmount needs customerUsdcAuthData or customerUsdcAuthDataV2.', {
      issues: ['signedMessages.customerUsdcAuthDataV2'],
    })
}

/** Known already, refused, relayed by somebody else, or sent. */
async function answer(service: Service, submit: Submit): Promise<Hex> {
  const { body, chain, wallet, intent, nonce } = submit
  const stored = await findIntent(service, submit)
  const isSame = stored !== undefined && isSameIntent(stored, submit)
  const known = stored && (await findRedeem(service, submit))
  const isSent = known !== undefined && known.status !== 'reverted'
  if (isSame && isSent) {
    service.relayer.wake()
    return known.hash
  }

  const merchant = await findMerchant(service, body.merchantId)
  if (merchant === undefined && stored === undefined) throw unknownMerchant(body.merchantId)
  const { permitCredits, customerUsdcAuthDataV2 } = body.signedMessages
  checkFactories(chain, [
    unwrapSignature(permitCredits),
    customerUsdcAuthDataV2 && unwrapSignature(customerUsdcAuthDataV2.signature),
  ])
  if (merchant !== undefined) await checkWhitelist(chain, { intent, creditSeed: merchant.creditSeed })

  // An unbound nonce stands for whatever is sent with it first.
  const mayDiffer = service.kind === 'unbound' && !isSent
  if (stored !== undefined && (merchant === undefined || !(isSame || mayDiffer)))
    throw problem('INTENT_MISMATCH', 'This nonce stands for another redeem than the one in the body.')
  const { creditsContract } = chain
  // Only a contract of bound permits says what became of a nonce; and only its redeems may come from others.
  const state =
    service.kind === 'unbound' ? 'unused' : await nonceState(chain.client, { creditsContract, wallet, nonce })
  if (state === 'cancelled')
    throw problem('NONCE_CANCELLED', 'The customer cancelled this nonce on the chain.')
  if (stored === undefined || merchant === undefined)
    throw problem('UNKNOWN_NONCE', 'This service made no such nonce for this wallet. Prepare again.')
  if (state === 'redeemed') return redeemedByOthers(service, { redeem: submit, stored })
  // Other redeems of the wallet wait: none may count on what this one is about to spend.
  return oneAtATime(walletKey(service, submit), () =>
    send(service, submit, { stored, merchant }).catch((refusal: unknown) =>
      sentMeanwhile(service, submit, refusal),
    ),
  )
}

/** Another process on the same database may have sent it while this one looked at the chain: then that is the answer. */
async function sentMeanwhile(service: Service, submit: Submit, refusal: unknown): Promise<Hex> {
  // A node or a database that failed says nothing about the redeem.
  if (!(refusal instanceof ServiceProblem)) throw refusal
  const stored = await findIntent(service, submit)
  const known = await findRedeem(service, submit)
  if (stored === undefined || known === undefined || known.status === 'reverted') throw refusal
  if (!isSameIntent(stored, submit)) throw refusal
  return known.hash
}

function isSameIntent(stored: StoredIntent, { body, intent }: Submit): boolean {
  return (
    stored.merchantId === body.merchantId &&
    stored.settlementHash === intent.settlementHash &&
    stored.amount === intent.amount &&
    stored.usdcAmount === intent.usdcAmount
  )
}

async function send(
  service: Service,
  submit: Submit,
  known: { stored: StoredIntent; merchant: Merchant },
): Promise<Hex> {
  const { body, chain, wallet, intent, nonce } = submit
  const { merchantId, creditSeed } = known.merchant
  const permit: CreditPermit = {
    customerWallet: wallet,
    creditSeed,
    amount: BigInt(body.creditsRawAmount),
    validBefore: BigInt(body.validBefore),
    nonce,
  }
  const [price, walletHasCode, credits] = await Promise.all([
    gasPrice(chain),
    hasCode(chain.client, wallet),
    readCredits(chain, { creditSeed, wallet }),
  ])
  checkTime(service, permit.validBefore, price.timestamp)
  const { permitSignature, usdcAuthorization, deployment } = await checkSignatures(chain, {
    domain: permitDomain(chain),
    permit,
    signedMessages: body.signedMessages,
    usdcAmount: intent.usdcAmount,
    hasCode: walletHasCode,
  })
  const fromCredits = intent.amount - intent.usdcAmount
  if (credits < fromCredits) throw insufficientCredits()
  if (fromCredits > permit.amount) throw exceedsAuthorized(fromCredits, permit.amount)
  const { salt } = known.stored
  const request = (gasFee: bigint) =>
    redeemRequest({ permit, signature: permitSignature, salt, intent, usdcAuthorization, gasFee })
  const terms = { redeem: submit, request, fromCredits, credits, permit, price }
  if (deployment !== undefined) {
    // The operator pays for this one: first the redeem has to go through as it will with the wallet there.
    await rehearseRedeem(service, { ...terms, asWallet: true })
    await deployWallet(service, { chain, wallet, deployment })
  }
  const ready = await rehearseRedeem(service, terms)
  return relayRedeem(service, { redeem: submit, merchantId, price, ...ready })
}

/** Exclusive bound, by this service's clock and by the chain's. At most an hour ahead (PROTOCOL.md 3.3). */
function checkTime(service: Service, validBefore: bigint, blockTime: bigint): void {
  const now = BigInt(Math.floor(service.now() / 1000))
  if (validBefore <= now || validBefore <= blockTime)
    throw problem('PERMIT_EXPIRED', 'The permit has expired. Prepare and sign again.')
  if (validBefore > now + permitMaximumSeconds)
    throw problem('INVALID_PERMIT', 'The permit is valid for more than an hour; this service asked for less.')
}

import type { Hex } from 'viem'
import { commitmentOf, orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import { checkHex } from '../../../redeemkit/evm/values.ts'
import { type SendGaslessTxBody, sendGaslessTxBody } from '../../../redeemkit/schema/sendGaslessTxBody.ts'
import { keyedLock, recentKeys } from '../../concurrency.ts'
import { checkCredentials, type EvmCustomer, evmCustomer } from '../http/customer.ts'
import { unknownMerchant } from '../http/merchant.ts'
import { invalid, problem, ServiceProblem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint } from '../http/route.ts'
import type { OrderClaim } from '../orders/claimOrders.ts'
import {
  alreadyPaid,
  checkClaim,
  type OrderTerms,
  orderCancelled,
  refuseRedeemedElsewhere,
} from '../orders/orderProblems.ts'
import type { Service } from '../service.ts'
import { type CheckedRedeem, checkRedeem, checkWhitelist } from './checkRedeem.ts'
import { checkFactories, unwrapSignature } from './checkSignatures.ts'
import { checkUnderway } from './checkUnderway.ts'
import { awaitRevert, deployWallet, dryRunRedeem } from './dryRunRedeem.ts'
import { lookUpRedeem, redeemedByOthers, type StoredIntent } from './lookUpRedeem.ts'
import { type OrderOnChain, readTerms, type Terms, unusedOrder } from './readTerms.ts'
import { ChecksOutdated } from './redeemQueue.ts'
import { type HashedIntent, hashIntent, resolveIntent } from './resolveIntent.ts'

/**
 * `POST /api/redeem/evm/sendGaslessTx` (PROTOCOL.md 2.2, 3 to 7): schema → whitelist → intent → permit and authorization → credits →
 * simulation → fee → journal → broadcast. All steps except the last two run before the wallet's lock is taken, so that a rejected
 * request does not delay others. A repeated redeem returns the hash of the first one and is never sent twice.
 */
export const sendGaslessTx = endpoint('sendGaslessTx', async (service, context) => {
  const body = await readBody(context, sendGaslessTxBody)
  const customer = await evmCustomer(service, context)
  const intent = await hashIntent(customer.chain, resolveIntent(customer.chain, body))
  checkAuthorizationPresence(body, intent)
  await checkCredentials(service, context, { merchantId: body.merchantId })
  // The database stores nonces in lower case.
  const nonce = checkHex(body.nonce.toLowerCase(), 'nonce', { bytes: 32 })
  const submit: Submit = { body, ...customer, intent, nonce }
  return { hash: await answer(service, submit) }
})

function walletKey(service: Service, { chain, wallet }: EvmCustomer): string {
  return `${service.environment}/${chain.blockchain}/${wallet}`
}

type Submit = { body: SendGaslessTxBody; intent: HashedIntent; nonce: Hex } & EvmCustomer

/** Requires an authorization exactly if `usdcAmount` is not 0. The schema rejects V1 together with V2 (PROTOCOL.md 5.4). */
function checkAuthorizationPresence(body: SendGaslessTxBody, intent: HashedIntent): void {
  const { customerUsdcAuthData, customerUsdcAuthDataV2 } = body.signedMessages
  const given = customerUsdcAuthData !== undefined || customerUsdcAuthDataV2 !== undefined
  if (given && intent.usdcAmount === 0n)
    throw invalid('usdcAmount', 'A USDC authorization requires a usdcAmount above zero.')
  if (!given && intent.usdcAmount > 0n)
    throw invalid(
      'signedMessages.customerUsdcAuthDataV2',
      'usdcAmount requires customerUsdcAuthData or customerUsdcAuthDataV2.',
    )
}

/** Returns the hash of a redeem that is already known, that a third party relayed, or that this call sends. */
async function answer(service: Service, submit: Submit): Promise<Hex> {
  const { body, chain, intent } = submit
  const moment = recentSends.now()
  const known = await lookUpRedeem(service, { ...submit, merchantId: body.merchantId })
  const { stored, creditSeed } = known
  const isSame = isSameIntent(stored, submit)
  const sent = known.redeem?.status === 'reverted' ? undefined : known.redeem
  if (isSame && sent !== undefined) {
    if (await awaitRevert(service, chain, sent)) return answer(service, submit)
    service.relayer.wake()
    return sent.hash
  }

  if (creditSeed === undefined && stored === undefined) throw unknownMerchant(body.merchantId)
  const { permitCredits, customerUsdcAuthDataV2 } = body.signedMessages
  await checkFactories(chain, submit.wallet, [
    unwrapSignature(permitCredits),
    customerUsdcAuthDataV2 && unwrapSignature(customerUsdcAuthDataV2.signature),
  ])
  // A random nonce belongs to the first redeem that is sent with it.
  const mayDiffer = service.kind === 'randomNonce' && sent === undefined
  // The requests run concurrently; their results are checked in this order.
  const whitelisted = later(
    creditSeed === undefined ? undefined : checkWhitelist(chain, { intent, creditSeed }),
  )
  const prepared =
    stored !== undefined && creditSeed !== undefined && (isSame || mayDiffer)
      ? preparedOf(service, submit, { stored, creditSeed })
      : undefined
  const asking = later(prepared?.terms.then((read) => read.order) ?? stateOf(service, submit))
  await whitelisted
  if (stored !== undefined && prepared === undefined) throw otherRedeem()
  const order = await asking
  const isRedeemed = isRedeemedBy(order, submit)
  const ended = isRedeemed ? undefined : await checkOrder(service, submit, { ...known, order })
  if (prepared === undefined)
    throw problem('UNKNOWN_NONCE', 'This service did not issue this nonce to this wallet. Prepare again.')
  if (isRedeemed)
    return redeemedByOthers(service, {
      redeem: submit,
      stored: prepared.stored,
      creditSeed: prepared.asked.creditSeed,
    })
  try {
    return await sendInTurn(service, submit, { ...known, ...prepared, ended, moment })
  } catch (refusal) {
    return await sentMeanwhile(service, submit, refusal)
  }
}

const otherRedeem = () => problem('INTENT_MISMATCH', 'This nonce belongs to a different redeem.')

type Prepared = {
  stored: StoredIntent
  asked: readTerms.Options & { redeem: Submit }
  terms: Promise<Terms>
}

function preparedOf(
  service: Service,
  submit: Submit,
  { stored, creditSeed }: { stored: StoredIntent; creditSeed: string },
): Prepared {
  const { body } = submit
  const asked = { redeem: submit, body, salt: stored.salt, creditSeed }
  return { stored, asked, terms: later(readTerms(service, asked)) }
}

/** Only contracts with intent-bound permits have order states and allow third parties to relay. */
function stateOf(service: Service, { chain, wallet, nonce }: Submit): Promise<OrderOnChain> | OrderOnChain {
  if (service.kind === 'randomNonce') return unusedOrder
  const { client, creditsContract } = chain
  return orderState(client, { creditsContract, wallet, orderKey: orderKeyOf(nonce) })
}

/** Rejects an attempt if another one of its order has executed, or may still execute. Returns the claim that this attempt may replace. */
async function checkOrder(
  service: Service,
  { chain, wallet, nonce, intent }: Submit,
  known: { order: OrderOnChain; claim: OrderClaim | undefined; creditSeed: string | undefined },
): Promise<OrderClaim | undefined> {
  if (service.kind === 'randomNonce') return undefined
  const { order, claim, creditSeed = '' } = known
  const { blockchain } = chain
  if (order.state === 'cancelled') throw orderCancelled(blockchain)
  const terms: OrderTerms = { creditSeed, intent }
  if (order.state === 'redeemed')
    throw await alreadyPaid(service, chain, { wallet, orderKey: orderKeyOf(nonce), order, terms })
  const ended = await checkClaim(service, { claim, attempt: { blockchain, nonce }, terms })
  await refuseRedeemedElsewhere(service, { chain, wallet, orderKey: orderKeyOf(nonce), terms })
  return ended
}

async function sendInTurn(
  service: Service,
  submit: Submit,
  known: Awaited<ReturnType<typeof lookUpRedeem>> &
    Prepared & { ended: OrderClaim | undefined; moment: number },
): Promise<Hex> {
  const { asked, ended } = known
  const checked = await checkRedeem(service, { ...asked, terms: await known.terms })
  // Invalid redeems have been rejected by now. The wallet's other redeems wait, so that none of them relies on funds that this
  // redeem spends.
  const key = walletKey(service, submit)
  return oneAtATime(key, async () => {
    const isOutdated = known.isUnderway || recentSends.isSince(key, known.moment)
    const attempt = (known.redeem?.attempt ?? 0) + 1
    const first = { asked, checked, isOutdated, attempt, ended, turn: known.turn }
    try {
      return await sendUnmoved(service, first)
    } finally {
      recentSends.note(key)
    }
  })
}

/**
 * Returns the redeem's hash if another process or a third party has sent it meanwhile. Otherwise throws the rejection or, if another
 * attempt has paid the order, the error that names it.
 */
async function sentMeanwhile(service: Service, submit: Submit, refusal: unknown): Promise<Hex> {
  // A failure of the node or the database proves nothing about the redeem.
  if (!(refusal instanceof ServiceProblem)) throw refusal
  const known = await lookUpRedeem(service, { ...submit, merchantId: submit.body.merchantId })
  const { stored, redeem, creditSeed } = known
  if (creditSeed === undefined || !isSameIntent(stored, submit)) throw refusal
  if (redeem !== undefined && redeem.status !== 'reverted') return redeem.hash
  if (!orderRefusals.has(refusal.code)) throw refusal
  const order = await stateOf(service, submit)
  if (isRedeemedBy(order, submit)) return redeemedByOthers(service, { redeem: submit, stored, creditSeed })
  // The simulation does not report which attempt has used the order.
  if (order.state === 'redeemed') await checkOrder(service, submit, { order, claim: undefined, creditSeed })
  throw refusal
}

const orderRefusals: ReadonlySet<string> = new Set(['ORDER_UNDERWAY', 'ORDER_ALREADY_PAID'])

const isRedeemedBy = (order: OrderOnChain, { nonce }: Submit) =>
  order.state === 'redeemed' && order.commitment === commitmentOf(nonce)

/** Lock per wallet, held from the last balance check until the redeem is in the journal. */
const oneAtATime = keyedLock()

const recentSends = recentKeys()

/** Starts a request whose result is awaited later, and prevents an unhandled rejection if it fails before that. */
function later<value>(question: Promise<value> | value): Promise<value> {
  const asked = Promise.resolve(question)
  asked.catch(() => {})
  return asked
}

function isSameIntent(stored: StoredIntent | undefined, { body, intent }: Submit): stored is StoredIntent {
  return (
    stored?.merchantId === body.merchantId &&
    stored.settlementHash === intent.settlementHash &&
    stored.amount === intent.amount &&
    stored.usdcAmount === intent.usdcAmount
  )
}

/** Repeats the checks if concurrent redeems of the wallet or the order have made them outdated. */
async function sendUnmoved(service: Service, first: Send): Promise<Hex> {
  for (let tries = 0; tries < 10; tries++)
    try {
      return await send(service, tries === 0 ? first : { ...first, isOutdated: true })
    } catch (error) {
      if (!(error instanceof ChecksOutdated)) throw error
    }
  throw problem('UNAVAILABLE', 'Other redeems of this wallet are being sent. Repeat the request.')
}

type Send = Pick<Prepared, 'asked'> & {
  /** The ended claim that this attempt replaces. */
  ended: OrderClaim | undefined
  checked: CheckedRedeem
  /** Whether `checked` is outdated, because a redeem of the wallet is pending or was sent since. */
  isOutdated: boolean
  attempt: number
  /** The wallet's counter of submitted redeems, before the checks. */
  turn: number
}

async function send(service: Service, options: Send): Promise<Hex> {
  const { asked, isOutdated } = options
  let { checked, attempt, turn, ended } = options
  const { redeem } = asked
  const { merchantId } = redeem.body
  const { chain, wallet, intent } = redeem
  if (isOutdated) {
    const known = await lookUpRedeem(service, { ...redeem, merchantId })
    if (known.redeem !== undefined && known.redeem.status !== 'reverted') {
      // A concurrent request was faster: either a duplicate of this one, or a different redeem with the same random nonce.
      if (isSameIntent(known.stored, redeem)) return known.redeem.hash
      throw otherRedeem()
    }
    attempt = (known.redeem?.attempt ?? 0) + 1
    turn = known.turn
    const terms = await readTerms(service, asked)
    ended = await checkOrder(service, redeem, { ...known, order: terms.order })
    checked = await checkRedeem(service, { ...asked, terms })
  }
  const { deployment, terms } = checked
  const { creditSeed } = terms.permit
  const checkOthers = async (charged: bigint) => {
    if (isOutdated)
      await checkUnderway(service, { chain, wallet, creditSeed, charged, usdcAmount: intent.usdcAmount })
  }
  if (deployment !== undefined) {
    // The operator pays for the deployment, so the redeem is first simulated as if the wallet were deployed.
    const { charged } = await dryRunRedeem(service, { ...checked, asWallet: true })
    await checkOthers(charged)
    await deployWallet(service, { chain, wallet, deployment })
  }
  const ready = await dryRunRedeem(service, checked)
  await checkOthers(ready.charged)
  return service.redeemQueue.send({ redeem, merchantId, ended, attempt, turn, price: terms.price, ...ready })
}

import { and, eq, sql } from 'drizzle-orm'
import { encodeFunctionData, type Hex, parseAbiItem } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { permitMaximumSeconds } from '../../../core/limits.ts'
import { hasCode } from '../../../evm/client/readChain.ts'
import type { CreditPermit } from '../../../evm/creditPermit/creditPermit.ts'
import { checkHex } from '../../../evm/values/checkHex.ts'
import { type SendGaslessTxBody, sendGaslessTxBody } from '../../../schema/index.ts'
import { noteBridgeMessages } from '../../relayer/finishRedeem.ts'
import { gasPrice } from '../../relayer/gasPrice.ts'
import { nodeError } from '../../relayer/nodeError.ts'
import { intents, redeems } from '../../store/tables.ts'
import { checkCredentials, type EvmCustomer, evmCustomer } from '../http/customer.ts'
import { findMerchant, type Merchant, unknownMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import type { EvmChain, Service } from '../service.ts'
import { checkFactories, checkSignatures, unwrapSignature } from './checkSignatures.ts'
import { checkUnderway } from './checkUnderway.ts'
import { deployWallet } from './deployWallet.ts'
import { keyedLock } from './keyedLock.ts'
import { permitDomain } from './permitDomain.ts'
import { agreeableCode, feeOf } from './quoteFee.ts'
import { type RedeemRequest, redeemRequest } from './redeemRequest.ts'
import { type ResolvedIntent, resolveIntent } from './resolveIntent.ts'
import { exceedsAuthorized, insufficientCredits, simulationProblem } from './simulationProblem.ts'
import { checkWhitelist } from './whitelist.ts'

/**
 * `POST /api/redeem/evm/sendGaslessTx` (document 1, section 4.9; decisions, sections 3 to 7).
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
    await checkCredentials(service, context)
    // One spelling in the database and in the lock.
    const nonce = checkHex(body.nonce.toLowerCase(), 'nonce', { bytes: 32 })
    const submit: Submit = { body, ...customer, intent, nonce }
    return oneAtATime(`${service.environment}/${customer.chain.blockchain}/${customer.wallet}/${nonce}`, () =>
      redeem(service, submit),
    )
  },
}

/** Two equal requests at once: the second waits for the first and answers with its hash. */
const oneAtATime = keyedLock()

type Submit = { body: SendGaslessTxBody; intent: ResolvedIntent; nonce: Hex } & EvmCustomer
type Intent = typeof intents.$inferSelect

/** `usdcAmount` 0 ⇔ no authorization; V1 and V2 at once is refused by the schema (decisions, section 5). */
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

async function redeem(service: Service, submit: Submit): Promise<{ hash: Hex }> {
  const { body, chain, wallet, intent, nonce } = submit
  const stored = await findIntent(service, submit)
  const same = stored !== undefined && isSameIntent(stored, submit)
  if (same) {
    const known = await findRedeem(service, submit)
    if (known !== undefined && known.status !== 'reverted') {
      service.relayer.wake()
      return { hash: checkHex(known.hash, 'hash', { bytes: 32 }) }
    }
  }

  const merchant = await findMerchant(service, body.merchantId)
  if (merchant === undefined && stored === undefined) throw unknownMerchant(body.merchantId)
  const permitBytes = unwrapSignature(body.signedMessages.permitCredits)
  const usdcV2 = body.signedMessages.customerUsdcAuthDataV2
  checkFactories(chain, [permitBytes, usdcV2 && unwrapSignature(usdcV2.signature)])
  if (merchant !== undefined) await checkWhitelist(chain, { intent, creditSeed: merchant.creditSeed })

  if (stored !== undefined && (merchant === undefined || !same))
    throw problem('INTENT_MISMATCH', 'This nonce stands for another redeem than the one in the body.')
  const state = await chain.client.readContract({
    address: chain.creditsContract,
    abi: creditsAbi,
    functionName: 'nonceState',
    args: [wallet, nonce],
  })
  if (state === nonceStates.cancelled)
    throw problem('NONCE_CANCELLED', 'The customer cancelled this nonce on the chain.')
  if (stored === undefined || merchant === undefined)
    throw problem('UNKNOWN_NONCE', 'This service made no such nonce for this wallet. Prepare again.')
  if (state === nonceStates.redeemed) return { hash: await redeemedByOthers(service, submit, stored) }
  // Other redeems of the wallet wait: none may count on what this one is about to spend.
  return oneAtATime(`${service.environment}/${chain.blockchain}/${wallet}`, () =>
    send(service, submit, { stored, merchant }),
  )
}

const nonceStates = { unused: 0, redeemed: 1, cancelled: 2 } as const

async function send(
  service: Service,
  submit: Submit,
  known: { stored: Intent; merchant: Merchant },
): Promise<{ hash: Hex }> {
  const { body, chain, wallet, intent, nonce } = submit
  const { stored, merchant } = known
  const permit: CreditPermit = {
    customerWallet: wallet,
    creditSeed: merchant.creditSeed,
    amount: BigInt(body.creditsRawAmount),
    validBefore: BigInt(body.validBefore),
    nonce,
  }
  const [price, walletHasCode, credits] = await Promise.all([
    gasPrice(chain),
    hasCode(chain.client, wallet),
    chain.client.readContract({
      address: chain.creditsContract,
      abi: creditsAbi,
      functionName: 'creditsOf',
      args: [merchant.creditSeed, wallet],
    }),
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
  const request = (gasFee: bigint) =>
    redeemRequest({
      permit,
      signature: permitSignature,
      salt: checkHex(stored.salt, 'salt', { bytes: 32 }),
      intent,
      usdcAuthorization,
      gasFee,
    })
  const terms: Terms = { request, fromCredits, credits, permit, price }
  if (deployment !== undefined) {
    // The operator pays for this one: first the redeem has to go through as it will with the wallet there.
    await rehearse(service, submit, { ...terms, asWallet: true })
    await deployWallet(service, { chain, wallet, deployment })
  }
  const ready = await rehearse(service, submit, terms)
  return { hash: await journalAndBroadcast(service, submit, { ...ready, merchant, price }) }
}

type Terms = {
  request: (gasFee: bigint) => RedeemRequest
  /** What the credits pay of the amount, without the fee. */
  fromCredits: bigint
  /** What the wallet has. */
  credits: bigint
  permit: CreditPermit
  price: gasPrice.ReturnType
  /** With a contract that agrees to every signature in the wallet's place, while the wallet is not there yet. */
  asWallet?: boolean | undefined
}

/** Finds out what the redeem takes, whether it can be paid for, and whether it goes through. */
async function rehearse(
  service: Service,
  submit: Submit,
  terms: Terms,
): Promise<{ request: RedeemRequest; gas: bigint; gasFee: bigint }> {
  const { chain, wallet, intent } = submit
  const { fromCredits, credits, permit, price } = terms
  const stateOverride = terms.asWallet ? [{ address: wallet, code: agreeableCode }] : undefined
  const gas = await run(chain, terms.request(0n), (call) =>
    chain.client.estimateGas({ ...call, stateOverride }),
  )
  const gasFee = service.settings.gasFeePayer === 'merchant' ? 0n : await feeOf(chain, gas, price)
  const charged = fromCredits + gasFee
  if (charged > permit.amount) {
    await rememberGas(service, submit, gas)
    throw exceedsAuthorized(charged, permit.amount)
  }
  if (credits < charged) throw insufficientCredits()
  const { creditSeed } = permit
  await checkUnderway(service, { chain, wallet, creditSeed, charged, usdcAmount: intent.usdcAmount })
  const request = terms.request(gasFee)
  // Exactly what is about to be sent.
  await run(chain, request, (call) => chain.client.call({ ...call, stateOverride }))
  return { request, gas, gasFee }
}

/** Exclusive bound, by this service's clock and by the chain's. At most an hour ahead (decisions, section 3). */
function checkTime(service: Service, validBefore: bigint, blockTime: bigint): void {
  const now = BigInt(Math.floor(service.now() / 1000))
  if (validBefore <= now || validBefore <= blockTime)
    throw problem('PERMIT_EXPIRED', 'The permit has expired. Prepare and sign again.')
  if (validBefore > now + permitMaximumSeconds)
    throw problem('INVALID_PERMIT', 'The permit is valid for more than an hour; this service asked for less.')
}

/** Has the node run the redeem without sending it. */
async function run<result>(
  chain: EvmChain,
  request: RedeemRequest,
  work: (call: { account: Hex; to: Hex; data: Hex }) => Promise<result>,
): Promise<result> {
  const sent = call(chain, request)
  try {
    return await work({ account: chain.operator.address, ...sent })
  } catch (error) {
    const signatures = [request.permit.signature, request.usdcAuthorization.signature]
    throw (
      simulationProblem(error) ??
      nodeError('The node did not run the redeem.', { error, data: sent.data, signatures })
    )
  }
}

function call(chain: EvmChain, request: RedeemRequest): { to: Hex; data: Hex } {
  return {
    to: chain.creditsContract,
    data: encodeFunctionData({ abi: creditsAbi, functionName: 'redeem', args: [request] }),
  }
}

async function journalAndBroadcast(
  service: Service,
  submit: Submit,
  ready: {
    merchant: Merchant
    request: RedeemRequest
    gas: bigint
    gasFee: bigint
    price: gasPrice.ReturnType
  },
): Promise<Hex> {
  const { chain, wallet, intent, nonce } = submit
  const { blockchain } = chain
  const { merchant, request, gas, gasFee, price } = ready
  const attempt = ((await findRedeem(service, submit))?.attempt ?? 0) + 1
  const row = await service.relayer.send({
    chainId: chain.chainId,
    account: chain.operator,
    reference: `redeem/${blockchain}/${wallet}/${nonce}/${attempt}`,
    // Inner calls keep back a 64th at each level; what is not used is not paid.
    request: { ...call(chain, request), gas: (gas * 5n) / 4n + 20_000n },
    price,
    also: async (work, { hash }) => {
      const at = new Date(service.now())
      const changing = { gasFee, status: 'sending', attempt, hash, updatedAt: at }
      await work
        .insert(redeems)
        .values({
          blockchain,
          wallet,
          nonce,
          merchantId: merchant.merchantId,
          kind: intent.kind,
          amount: intent.amount,
          usdcAmount: intent.usdcAmount,
          createdAt: at,
          ...changing,
        })
        .onConflictDoUpdate({
          target: [redeems.blockchain, redeems.wallet, redeems.nonce],
          set: changing,
          setWhere: sql`${redeems.status} = 'reverted'`,
        })
    },
  })
  return checkHex(row.hash, 'hash', { bytes: 32 })
}

/** Somebody else relayed the permit: anyone may. The hash is on the chain, and is written down here. */
async function redeemedByOthers(service: Service, submit: Submit, stored: Intent): Promise<Hex> {
  const { chain, wallet, intent, nonce } = submit
  const [log] = await chain.client.getLogs({
    address: chain.creditsContract,
    event: redeemedEvent,
    args: { customerWallet: wallet, nonce },
    fromBlock: stored.blockNumber,
    toBlock: 'latest',
  })
  if (log === undefined) throw new Error('The nonce is redeemed, but there is no Redeemed event for it.')
  const at = new Date(service.now())
  const found = {
    gasFee: log.args.gasFee ?? 0n,
    status: 'redeemed',
    hash: log.transactionHash,
    updatedAt: at,
  }
  const database = await service.database()
  await database
    .insert(redeems)
    .values({
      blockchain: chain.blockchain,
      wallet,
      nonce,
      merchantId: stored.merchantId,
      kind: intent.kind,
      amount: intent.amount,
      usdcAmount: intent.usdcAmount,
      attempt: 0,
      createdAt: at,
      ...found,
    })
    .onConflictDoUpdate({ target: [redeems.blockchain, redeems.wallet, redeems.nonce], set: found })
  if (intent.kind === 'decent') await carryForOthers(service, submit, log.transactionHash)
  return log.transactionHash
}

/** A stranger who relays a decent redeem cannot carry its message. Whatever else is in the transaction is theirs. */
async function carryForOthers(service: Service, submit: Submit, hash: Hex): Promise<void> {
  const { chain, wallet, nonce } = submit
  const [receipt, adapter] = await Promise.all([
    chain.client.getTransactionReceipt({ hash }),
    chain.client.readContract({
      address: chain.creditsContract,
      abi: creditsAbi,
      functionName: 'bridgeAdapter',
    }),
  ])
  await noteBridgeMessages(await service.database(), {
    sourceChainId: chain.chainId,
    wallet,
    nonce,
    logs: receipt.logs.filter(({ address }) => address.toLowerCase() === adapter.toLowerCase()),
    at: new Date(service.now()),
  })
  service.relayer.wake()
}

const redeemedEvent = parseAbiItem(
  'event Redeemed(address indexed customerWallet, bytes32 indexed nonce, uint8 kind, address target, uint256 amount, uint256 usdcAmount, uint256 charged, uint256 refunded, uint256 gasFee)',
)

async function findIntent(service: Service, { chain, wallet, nonce }: Submit): Promise<Intent | undefined> {
  const database = await service.database()
  const [row] = await database
    .select()
    .from(intents)
    .where(
      and(eq(intents.blockchain, chain.blockchain), eq(intents.wallet, wallet), eq(intents.nonce, nonce)),
    )
  return row
}

async function findRedeem(service: Service, { chain, wallet, nonce }: Submit) {
  const database = await service.database()
  const [row] = await database
    .select()
    .from(redeems)
    .where(
      and(eq(redeems.blockchain, chain.blockchain), eq(redeems.wallet, wallet), eq(redeems.nonce, nonce)),
    )
  return row
}

function isSameIntent(stored: Intent, { body, intent }: Submit): boolean {
  return (
    stored.merchantId === body.merchantId &&
    stored.settlementHash === intent.settlementHash &&
    stored.amount === intent.amount &&
    stored.usdcAmount === intent.usdcAmount
  )
}

async function rememberGas(service: Service, submit: Submit, gas: bigint): Promise<void> {
  const { chain, wallet, nonce } = submit
  const database = await service.database()
  await database
    .update(intents)
    .set({ gasNeeded: gas })
    .where(
      and(eq(intents.blockchain, chain.blockchain), eq(intents.wallet, wallet), eq(intents.nonce, nonce)),
    )
}

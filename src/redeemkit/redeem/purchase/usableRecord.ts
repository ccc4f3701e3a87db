import type { Hex } from 'viem'
import type { RequestAbortedError } from '../../api/errors.ts'
import { unixSeconds } from '../../core/clock.ts'
import { ChainReadError, type EvmClient } from '../../evm/client.ts'
import { networkOf } from '../../evm/networks.ts'
import { lookUpRedeem, type RedeemLookUp } from '../chain/lookUpRedeem.ts'
import { checkPaid } from '../check/checkPaid.ts'
import { AlreadyRedeemedError, PurchaseMismatchError } from '../errors.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'
import { boundClient, within } from '../within.ts'
import { differingField, type PurchaseRecord, purchaseOf } from './purchaseRecord.ts'
import { openOf } from './purchaseRun.ts'

/** Seconds by which the chain's clock may lag. */
export const clockSlack = 600n

const lookUpTimeoutMs = 5_000

/**
 * Drops a record with other terms if nothing was submitted, or if the permit expired unused or was cancelled, with the confirmations that
 * the caller requires. While a permit may still execute, nothing else is signed for its order (PROTOCOL.md 7.5).
 */
export async function usableRecord(
  record: PurchaseRecord | undefined,
  terms: RedeemTerms,
  options: usableRecord.Options,
): Promise<PurchaseRecord | undefined> {
  if (record === undefined) return undefined
  const field = differingField(purchaseOf(terms), record.purchase)
  const isSent = record.signed !== undefined || record.hash !== undefined
  if (field === undefined)
    // A different adapter changes the nonce.
    return isSent || record.bridgeAdapter === terms.bridgeAdapter ? record : undefined
  if (isSent) await refuseWhileOpen(record, field, terms, options)
  return undefined
}

export declare namespace usableRecord {
  type Options = Pick<RedeemOptions, 'publicClient' | 'otherChains' | 'confirmations' | 'signal' | 'now'>
  type ErrorType =
    | PurchaseMismatchError
    | AlreadyRedeemedError
    | checkPaid.ErrorType
    | lookUpRedeem.ErrorType
    | RequestAbortedError
}

async function refuseWhileOpen(
  record: PurchaseRecord,
  field: string,
  terms: RedeemTerms,
  options: usableRecord.Options,
): Promise<void> {
  const { wallet, chainId, creditsContract, creditSeed } = record.purchase
  const nonce = record.nonce ?? record.signed?.prepared.answer.nonce
  const end = openOf(record)?.validBefore
  const isHere =
    wallet === terms.wallet && chainId === terms.chainId && creditsContract === terms.pinned.creditsContract
  const isRandom = terms.pinned.intentBound === false || record.signed?.prepared.intentBound === false
  const client =
    chainId === terms.chainId
      ? options.publicClient
      : options.otherChains?.find((other) => other.chainId === chainId)?.publicClient
  if (client === undefined || nonce === undefined || isRandom) {
    // Without a node, only the credits contract of the recorded permit can prevent a second payment.
    const isOver = end !== undefined && unixSeconds(options.now) > BigInt(end) + clockSlack
    if (isHere && isOver && !isRandom) return
    throw mismatch(record, field, end)
  }
  const key = { wallet, nonce: nonce as Hex, creditsContract: creditsContract as Hex }
  const seen = await lookAt(client, key, { ...options, chainId, end })
  if (seen === undefined) throw mismatch(record, field, end)
  const { state, block, settled, outcome } = seen
  const isOver = state !== 'unused' || (end !== undefined && block.timestamp >= BigInt(end))
  // On the same contract, the check before signing and the contract itself prevent a second payment.
  if (isHere && isOver) return
  if (state === 'unused' || state === 'cancelled') {
    if (settled) return
    throw mismatch(record, field, end)
  }
  checkPaid(outcome, terms, { contracts: [creditsContract as Hex], creditSeed })
  throw new AlreadyRedeemedError(
    `The order is already redeemed on ${networkOf({ chainId }).name}, by ${wallet}.`,
    {
      field,
      fix: 'Look up that redeem with findRedeem. Nothing was signed.',
      paidBy: wallet === terms.wallet ? undefined : wallet,
    },
  )
}

async function lookAt(
  client: EvmClient,
  key: Parameters<typeof lookUpRedeem>[1],
  {
    chainId,
    end,
    confirmations = 1,
    signal,
  }: usableRecord.Options & { chainId: number; end: string | undefined },
): Promise<RedeemLookUp | undefined> {
  const validBefore = end === undefined ? undefined : BigInt(end)
  const options = { chainId, confirmations, validBefore }
  const look = lookUpRedeem(boundClient(client, { timeoutMs: lookUpTimeoutMs }), key, options)
  try {
    return await within(look, { signal })
  } catch (error) {
    if (error instanceof ChainReadError) return undefined
    throw error
  }
}

function mismatch(record: PurchaseRecord, field: string, end: string | undefined): PurchaseMismatchError {
  const { purchaseId, chainId, wallet } = record.purchase
  const until =
    end === undefined ? 'is finished' : `may execute until ${new Date(Number(end) * 1000).toISOString()}`
  return new PurchaseMismatchError(
    `The order ${JSON.stringify(purchaseId)} was started with another ${field}. That payment by ${wallet} on ${networkOf({ chainId }).name} ${until}.`,
    {
      field,
      fix: 'Call redeem with the original terms to resume it, or wait until it has expired. For another purchase, use another purchaseId.',
    },
  )
}

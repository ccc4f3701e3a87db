import { and, eq } from 'drizzle-orm'
import { parseTransaction } from 'viem'
import { sameHex } from '../../redeemkit/evm/values.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import { requestsOfBatch } from '../contracts/creditsCalls.ts'
import { revertDataOf } from '../contracts/revert.ts'
import { redeemCall } from '../simulation/redeemRequest.ts'
import type { Database, DatabaseWork } from '../store/database.ts'
import { isOneOf } from '../store/statement.ts'
import { redeems, transactions } from '../store/tables/index.ts'
import type { Pauses } from './createLoop.ts'
import type { Relayer } from './createRelayer.ts'
import { redeemGasLimit } from './relayerChain.ts'

/** Sends each redeem that failed in a batch in its own transaction (PROTOCOL.md 6.5). Returns whether any remain to be sent. */
export async function sendAlone(database: Database, options: sendAlone.Options): Promise<boolean> {
  const { chains, pauses, onError } = options
  const failed = await database
    .select()
    .from(redeems)
    .where(isOneOf(redeems.status, ['alone']))
  let due = false
  for (const redeem of failed) {
    const chain = chains.get(redeem.blockchain)
    if (chain === undefined) continue
    const name = `alone/${redeem.blockchain}/${redeem.wallet}/${redeem.nonce}`
    due = true
    await pauses.run(name, () => sendOne(database, { ...options, chain, redeem }), onError)
  }
  return due
}

export declare namespace sendAlone {
  type Options = {
    relayer: Relayer
    pauses: Pauses
    chains: ReadonlyMap<string, EvmChain>
    now: () => number
    onError: ((error: unknown) => void) | undefined
  }
}

type StoredRedeem = typeof redeems.$inferSelect

async function sendOne(
  database: Database,
  options: sendAlone.Options & { chain: EvmChain; redeem: StoredRedeem },
): Promise<void> {
  const { relayer, chain, redeem, now } = options
  const { blockchain, wallet, nonce } = redeem
  const attempt = redeem.attempt + 1
  const change = (work: Database | DatabaseWork, to: Partial<StoredRedeem>) =>
    work
      .update(redeems)
      .set({ ...to, updatedAt: new Date(now()) })
      .where(and(ofNonce(redeem), eq(redeems.status, 'alone'), eq(redeems.attempt, redeem.attempt)))
  const call = await callOf(database, { chain, redeem })
  const gas = call && (await gasOf(chain, call))
  if (call === undefined || gas === undefined) {
    await change(database, { status: 'reverted' })
    return
  }
  await relayer.send({
    chainId: chain.chainId,
    account: chain.relayers,
    reference: { kind: 'redeem', blockchain, wallet, nonce, attempt },
    request: { ...call, gas: redeemGasLimit(gas) },
    also: async (work, { hash }) => {
      await change(work, { status: 'sending', attempt, hash })
    },
  })
}

const ofNonce = ({ blockchain, wallet, nonce }: StoredRedeem) =>
  and(eq(redeems.blockchain, blockchain), eq(redeems.wallet, wallet), eq(redeems.nonce, nonce))

/** Decodes the redeem's call from the batch's signed bytes in the journal. */
async function callOf(
  database: Database,
  { chain, redeem }: { chain: EvmChain; redeem: StoredRedeem },
): Promise<ReturnType<typeof redeemCall> | undefined> {
  const [batch] = await database
    .select({ raw: transactions.raw })
    .from(transactions)
    .where(and(eq(transactions.chainId, chain.chainId), eq(transactions.hash, redeem.hash)))
  const data = batch && parseTransaction(batch.raw).data
  const request =
    data &&
    requestsOfBatch(data).find(
      ({ permit }) => sameHex(permit.customerWallet, redeem.wallet) && permit.nonce === redeem.nonce,
    )
  return request && redeemCall(chain, request)
}

/** Returns undefined if the call would fail. */
async function gasOf(chain: EvmChain, call: ReturnType<typeof redeemCall>): Promise<bigint | undefined> {
  try {
    return await chain.client.estimateGas({ account: chain.operator.address, ...call })
  } catch (error) {
    if (revertDataOf(error) === undefined) throw error
    return undefined
  }
}

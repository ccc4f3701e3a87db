import type { Hex, Log } from 'viem'
import { bridgeAdapterAbi } from '../../../contracts/generated/BridgeAdapter.ts'
import { zeroAddress } from '../../redeemkit/evm/checkAddress.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import { requestedMessages } from '../contracts/bridgeAdapter.ts'
import { readBridgeAdapter } from '../contracts/creditsReads.ts'
import type { Database, DatabaseWork } from '../store/database.ts'
import { bridgeMessages } from '../store/tables/index.ts'

/**
 * Writes down the message that the bridge adapter sent in a redeem.
 *
 * @param options.logs of the adapter, or of a transaction in which no other code ran
 */
export async function noteBridgeMessages(
  work: Pick<DatabaseWork, 'insert'>,
  options: { sourceChainId: number; wallet: Hex; nonce: Hex; logs: Log[]; at: Date },
): Promise<void> {
  const { sourceChainId, wallet, nonce, logs, at } = options
  for (const { id, destinationChainId, delivery } of requestedMessages(logs, { sourceChainId, nonce }))
    await work
      .insert(bridgeMessages)
      .values({
        sourceChainId,
        messageId: id,
        wallet,
        nonce,
        destinationChainId,
        delivery,
        status: 'pending',
        createdAt: at,
      })
      .onConflictDoNothing()
}

/**
 * Notes the messages that a chain's adapter has sent since the last look, whoever relayed the redeem. The first look of a process
 * goes a few thousand blocks back; what is known already stays as it is.
 *
 * @param seen by chain id, the next block to look at; kept by the caller
 */
export async function noteMessagesOnChain(
  database: Database,
  options: { chain: EvmChain; seen: Map<number, bigint>; at: Date },
): Promise<void> {
  const { chain, seen, at } = options
  const { chainId, client } = chain
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  const next = seen.get(chainId) ?? (newest > lookBack ? newest - lookBack : 0n)
  // A chain that went back is looked at again.
  const fromBlock = next > newest + 1n ? 0n : next
  if (fromBlock > newest) return
  const adapter = await readBridgeAdapter(chain)
  const logs =
    adapter === zeroAddress
      ? []
      : await client.getContractEvents({
          address: adapter,
          abi: bridgeAdapterAbi,
          eventName: 'BridgeRequested',
          fromBlock,
          toBlock: newest,
        })
  for (const { id, customer, nonce, destinationChainId, delivery } of requestedMessages(logs, {
    sourceChainId: chainId,
  }))
    await database
      .insert(bridgeMessages)
      .values({
        sourceChainId: chainId,
        messageId: id,
        wallet: customer,
        nonce,
        destinationChainId,
        delivery,
        status: 'pending',
        createdAt: at,
      })
      .onConflictDoNothing()
  seen.set(chainId, newest + 1n)
}

const lookBack = 5_000n

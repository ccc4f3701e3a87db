import {
  type Chain,
  encodeFunctionData,
  type Hex,
  type Log,
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
  type Transport,
} from 'viem'
import { bridgeAdapterAbi } from '../../../contracts/generated/BridgeAdapter.ts'
import { zeroAddress } from '../../redeemkit/evm/checkAddress.ts'

/** A purchase on another chain that a redeem paid for. */
export type BridgeMessage = {
  id: Hex
  destinationChainId: number
  customer: Hex
  /** Of the redeem's permit. */
  nonce: Hex
  /** What `BridgeAdapter.execute` is called with on the destination chain, ABI-encoded. */
  delivery: Hex
}

/** The messages that the adapter of a chain sent (`BridgeRequested`): of the redeem of a nonce, or all of them. */
export function requestedMessages(
  logs: Log[],
  { sourceChainId, nonce }: { sourceChainId: number; nonce?: Hex | undefined },
): BridgeMessage[] {
  return parseEventLogs({ abi: bridgeAdapterAbi, eventName: 'BridgeRequested', logs })
    .filter(({ args }) => nonce === undefined || args.nonce.toLowerCase() === nonce)
    .map(({ address, args }) => ({
      id: args.id,
      destinationChainId: Number(args.dstChainId),
      customer: args.customer,
      nonce: args.nonce,
      delivery: encodeFunctionData({
        abi: bridgeAdapterAbi,
        functionName: 'execute',
        args: [
          {
            srcChainId: BigInt(sourceChainId),
            srcAdapter: address,
            number: args.number,
            customer: args.customer,
            nonce: args.nonce,
            amount: args.amount,
            token: args.isNative ? zeroAddress : args.dstToken,
            cost: args.cost,
            target: args.target,
            data: args.data,
            minimumGas: args.minimumGas,
          },
        ],
      }),
    }))
}

/** Whether the adapter of the destination chain has executed a message. */
export function isExecuted(
  destination: { bridgeAdapter: Hex; client: PublicClient<Transport, Chain> },
  id: Hex,
): Promise<boolean> {
  return destination.client.readContract({
    address: destination.bridgeAdapter,
    abi: bridgeAdapterAbi,
    functionName: 'executed',
    args: [id],
  })
}

/**
 * What a mined delivery did (`BridgeExecuted`).
 *
 * @returns undefined when the adapter does not say so
 */
export function executionOf(receipt: TransactionReceipt, id: Hex): 'executed' | 'claimable' | undefined {
  const executed = parseEventLogs({
    abi: bridgeAdapterAbi,
    eventName: 'BridgeExecuted',
    logs: receipt.logs,
  }).find(
    // Only the adapter that was called speaks for the message; its target may emit what it likes.
    ({ address, args }) =>
      address.toLowerCase() === receipt.to?.toLowerCase() && args.id.toLowerCase() === id.toLowerCase(),
  )
  if (executed === undefined) return undefined
  return executed.args.success ? 'executed' : 'claimable'
}

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
import { sameHex } from '../../redeemkit/evm/values.ts'

type BridgeMessage = {
  id: Hex
  destinationChainId: number
  customer: Hex
  nonce: Hex
  /** Call data of `BridgeAdapter.execute` on the destination chain. */
  delivery: Hex
  sourceHash: Hex
}

/** The messages that a chain's adapter sent (`BridgeRequested`), for one redeem's nonce or for all. */
export function requestedMessages(
  logs: Log<bigint, number, false>[],
  { sourceChainId, nonce }: { sourceChainId: number; nonce?: Hex | undefined },
): BridgeMessage[] {
  return parseEventLogs({ abi: bridgeAdapterAbi, eventName: 'BridgeRequested', logs })
    .filter(({ args }) => nonce === undefined || args.nonce.toLowerCase() === nonce)
    .map(({ address, args, transactionHash }) => ({
      id: args.id,
      sourceHash: transactionHash,
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

/** Returns the outcome of a mined delivery (`BridgeExecuted`), or undefined if the adapter emitted no such event. */
export function executionOf(receipt: TransactionReceipt, id: Hex): 'executed' | 'claimable' | undefined {
  const executed = parseEventLogs({
    abi: bridgeAdapterAbi,
    eventName: 'BridgeExecuted',
    logs: receipt.logs,
  }).find(
    // Reads only events of the called adapter, because the target may emit fake events.
    ({ address, args }) => sameHex(address, receipt.to) && sameHex(args.id, id),
  )
  if (executed === undefined) return undefined
  return executed.args.success ? 'executed' : 'claimable'
}

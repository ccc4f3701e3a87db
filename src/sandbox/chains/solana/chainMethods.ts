import type { Node } from './openNode.ts'
import { badParams, configOf, inContext, type Methods, RpcAnswerError, textOf, viewOf } from './params.ts'

export function chainMethods(node: Node): Methods {
  const { ledger } = node
  return {
    getHealth: () => {
      refuseUnhealthy(node)
      return 'ok'
    },
    getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 0 }),
    getGenesisHash: () => ledger.network.genesisHash,
    getSlot: ([config]) => viewOf(node, configOf(config)).slot,
    getBlockHeight: ([config]) => viewOf(node, configOf(config)).blockHeight,
    getEpochInfo: ([config]) => {
      const { slot, blockHeight } = viewOf(node, configOf(config))
      const slotsInEpoch = 432_000
      return {
        absoluteSlot: slot,
        blockHeight,
        epoch: Math.floor(slot / slotsInEpoch),
        slotIndex: slot % slotsInEpoch,
        slotsInEpoch,
        transactionCount: ledger.transactions.size,
      }
    },
    getLatestBlockhash: ([config]) => {
      const options = configOf(config)
      return inContext(node, options, viewOf(node, options).latestBlockhash)
    },
    isBlockhashValid: ([blockhash, config]) => {
      const options = configOf(config)
      return inContext(node, options, viewOf(node, options).isRecent(textOf(blockhash)))
    },
    getMinimumBalanceForRentExemption: ([length]) => {
      if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) throw badParams('length')
      return Number(ledger.svm.minimumBalanceForRentExemption(BigInt(length)))
    },
  }
}

export function refuseUnhealthy({ unhealthyBy }: Node): void {
  if (unhealthyBy === undefined) return
  throw new RpcAnswerError(-32005, `Node is behind by ${unhealthyBy} slots`, { numSlotsBehind: unhealthyBy })
}

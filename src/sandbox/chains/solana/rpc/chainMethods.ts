import { isWritable } from '../landedTransactions.ts'
import type { Node } from '../openNode.ts'
import { unitPriceOf } from './feeOfMessage.ts'
import { inContext, type Methods, viewOf } from './methods.ts'
import { addressOf, badParams, configOf, textOf } from './params.ts'
import { RpcAnswerError } from './rpcAnswerError.ts'

/** Slots over which a node keeps statistics of fees, and accounts that it takes in a question. */
const feeSlots = 150
const maxFeeAccounts = 128

/** What a node says about the chain. */
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
        transactionCount: ledger.landed.size,
      }
    },
    getBlockTime: ([slot]) => {
      if (typeof slot !== 'number') throw badParams('slot')
      if (slot > node.at('confirmed').slot)
        throw new RpcAnswerError(-32004, `Block not available for slot ${slot}`)
      return Math.floor(ledger.now() / 1000)
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
    // The lowest price of a unit in each slot, among transactions that write all of these accounts.
    getRecentPrioritizationFees: ([accounts = []]) => {
      if (!Array.isArray(accounts)) throw badParams('accounts')
      if (accounts.length > maxFeeAccounts)
        throw new RpcAnswerError(-32602, `Too many inputs provided; max ${maxFeeAccounts}`)
      const keys = accounts.map(addressOf)
      const { slot: last } = node.at('confirmed')
      const prices = new Map<number, bigint>()
      for (const landed of ledger.landed.values()) {
        const written = landed.accounts.filter((_, index) => isWritable(landed, index))
        if (landed.bytes.length === 0 || !keys.every((key) => written.includes(key))) continue
        const price = unitPriceOf(landed.parsed)
        const known = prices.get(landed.slot)
        if (known === undefined || price < known) prices.set(landed.slot, price)
      }
      return Array.from({ length: Math.min(feeSlots, last) }, (_, index) => {
        const slot = last - Math.min(feeSlots, last) + 1 + index
        return { slot, prioritizationFee: Number(prices.get(slot) ?? 0n) }
      })
    },
  }
}

/** Throws on a node that is too far behind the others. */
export function refuseUnhealthy({ unhealthyBy }: Node): void {
  if (unhealthyBy === undefined) return
  throw new RpcAnswerError(-32005, `Node is behind by ${unhealthyBy} slots`, { numSlotsBehind: unhealthyBy })
}

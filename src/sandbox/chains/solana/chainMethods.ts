import type { ParsedTransaction } from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'
import { isWritable } from './createLedger.ts'
import type { Node } from './openNode.ts'
import {
  addressOf,
  badParams,
  configOf,
  inContext,
  type Methods,
  RpcAnswerError,
  textOf,
  viewOf,
} from './params.ts'

/** Number of slots that a node's fee statistics cover, and maximum number of accounts that a request may name. */
const feeSlots = 150
const maxFeeAccounts = 128

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
    // For each slot, the lowest compute unit price among transactions that write all of these accounts.
    getRecentPrioritizationFees: ([accounts = []]) => {
      if (!Array.isArray(accounts)) throw badParams('accounts')
      if (accounts.length > maxFeeAccounts)
        throw new RpcAnswerError(-32602, `Too many inputs provided; max ${maxFeeAccounts}`)
      const keys = accounts.map(addressOf)
      const { slot: last } = node.at('confirmed')
      const prices = new Map<number, bigint>()
      for (const included of ledger.transactions.values()) {
        const written = included.accounts.filter((_, index) => isWritable(included, index))
        if (included.bytes.length === 0 || !keys.every((key) => written.includes(key))) continue
        const price = unitPriceOf(included.parsed)
        const known = prices.get(included.slot)
        if (known === undefined || price < known) prices.set(included.slot, price)
      }
      return Array.from({ length: Math.min(feeSlots, last) }, (_, index) => {
        const slot = last - Math.min(feeSlots, last) + 1 + index
        return { slot, prioritizationFee: Number(prices.get(slot) ?? 0n) }
      })
    },
  }
}

export function refuseUnhealthy({ unhealthyBy }: Node): void {
  if (unhealthyBy === undefined) return
  throw new RpcAnswerError(-32005, `Node is behind by ${unhealthyBy} slots`, { numSlotsBehind: unhealthyBy })
}

const lamportsPerSignature = 5000n
const maxUnits = 1_400_000n

/** Default compute units per instruction when the transaction sets no limit (SIMD-0170). */
const unitsOfBuiltin = 3000n
const unitsOfProgram = 200_000n
const builtins: readonly string[] = [
  programs.system,
  programs.computeBudget,
  'Vote111111111111111111111111111111111111111',
]

/** Returns the fee of a message: its signature fees plus the priority fee for its compute unit limit, rounded up. */
export function feeOfMessage(parsed: ParsedTransaction): bigint {
  const asked = budgetOf(parsed, 2, 4)
  const units =
    asked ??
    parsed.instructions.reduce(
      (sum, { program }) =>
        sum + (builtins.includes(parsed.keys[program] ?? '') ? unitsOfBuiltin : unitsOfProgram),
      0n,
    )
  const limit = units > maxUnits ? maxUnits : units
  return lamportsPerSignature * BigInt(parsed.signers) + (unitPriceOf(parsed) * limit + 999_999n) / 1_000_000n
}

function unitPriceOf(parsed: ParsedTransaction): bigint {
  return budgetOf(parsed, 3, 8) ?? 0n
}

function budgetOf(parsed: ParsedTransaction, kind: number, length: number): bigint | undefined {
  const found = parsed.instructions.find(
    ({ program, data }) => parsed.keys[program] === programs.computeBudget && data[0] === kind,
  )
  return found?.data.slice(1, 1 + length).reduceRight((sum: bigint, byte) => (sum << 8n) | BigInt(byte), 0n)
}

import type { Ledger } from '../createLedger.ts'
import { inContext, type Methods } from './methods.ts'
import { badParams, textOf } from './params.ts'

/** What a node says about the chain. */
export function chainMethods(ledger: Ledger): Methods {
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '2.2.0', 'feature-set': 0 }),
    getGenesisHash: () => ledger.network.genesisHash,
    getSlot: () => ledger.slot(),
    getBlockHeight: () => ledger.blockHeight(),
    getBlockTime: () => Math.floor(ledger.now() / 1000),
    getLatestBlockhash: () => inContext(ledger, ledger.latestBlockhash()),
    isBlockhashValid: ([blockhash]) => inContext(ledger, ledger.isRecent(textOf(blockhash))),
    getMinimumBalanceForRentExemption: ([length]) => {
      if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) throw badParams('length')
      return Number(ledger.svm.minimumBalanceForRentExemption(BigInt(length)))
    },
    getRecentPrioritizationFees: () => [{ slot: ledger.slot(), prioritizationFee: 0 }],
  }
}

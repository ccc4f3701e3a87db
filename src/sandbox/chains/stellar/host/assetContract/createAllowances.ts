import { nativeToScVal, scValToNative, xdr } from '@stellar/stellar-sdk'
import { readContractData, writeContractData } from '../../entries/contractData.ts'
import { contractDataLedgerKey } from '../../entries/ledgerKeys.ts'
import { maxEntryTtl } from '../../entries/state.ts'
import { addressValue } from '../contractValues.ts'
import { HostError } from '../hostError.ts'
import { type AssetOptions, failAsset } from './assetOptions.ts'

type Parties = { from: string; spender: string }

/** What holders let others spend: temporary entries, each with a last ledger. */
export type Allowances = {
  of: (parties: Parties) => bigint
  set: (parties: Parties, allowance: { amount: bigint; liveUntil: number }) => void
  /** Takes from an allowance. */
  spend: (parties: Parties, amount: bigint) => void
}

const valueType = { amount: ['symbol', 'i128'], live_until_ledger: ['symbol', 'u32'] }

/** The allowances of an asset. */
export function createAllowances({ contract, state, sequence, touch }: AssetOptions): Allowances {
  const keyOf = ({ from, spender }: Parties) => {
    const parties = Object.entries({ from, spender }).map(
      ([name, address]) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val: addressValue(address) }),
    )
    const key = xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Allowance'), xdr.ScVal.scvMap(parties)])
    return contractDataLedgerKey(contract, key, 'temporary')
  }
  const read = (parties: Parties): { amount: bigint; liveUntil: number } => {
    touch(keyOf(parties), false)
    const stored = readContractData(state, keyOf(parties), sequence)
    const value = stored === undefined ? undefined : scValToNative(stored)
    // The entry may outlive the allowance in it.
    if (value === undefined || value.live_until_ledger < sequence) return { amount: 0n, liveUntil: 0 }
    return { amount: value.amount, liveUntil: value.live_until_ledger }
  }
  const write = (parties: Parties, { amount, liveUntil }: { amount: bigint; liveUntil: number }) => {
    touch(keyOf(parties), true)
    const value = nativeToScVal({ amount, live_until_ledger: liveUntil }, { type: valueType })
    const isLasting = amount > 0n ? liveUntil : undefined
    writeContractData(state, keyOf(parties), value, { sequence, liveUntil: isLasting })
  }
  return {
    of: (parties) => read(parties).amount,
    set(parties, allowance) {
      if (allowance.amount > 0n && allowance.liveUntil < sequence) failAsset('allowance')
      if (allowance.liveUntil > sequence + maxEntryTtl - 1)
        throw new HostError('HostError: Error(Storage, InvalidAction): the allowance would live too long')
      write(parties, allowance)
    },
    spend(parties, amount) {
      const { amount: allowed, liveUntil } = read(parties)
      if (allowed < amount) failAsset('allowance')
      if (amount > 0n) write(parties, { amount: allowed - amount, liveUntil })
    },
  }
}

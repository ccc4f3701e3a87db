import { xdr } from '@stellar/stellar-sdk'
import { ledgerEntry } from '../entries/ledgerEntry.ts'
import { accountLedgerKey, trustlineLedgerKey } from '../entries/ledgerKeys.ts'
import { readLedgerEntry } from '../entries/readLedgerEntry.ts'
import type { LedgerState } from '../entries/state.ts'

/** An entry before and after; undefined where there was none. */
export type EntryChange = {
  key: xdr.LedgerKey
  before: xdr.LedgerEntry | undefined
  after: xdr.LedgerEntry | undefined
}

type States = { before: LedgerState; after: LedgerState; sequence: number; modified: (key: string) => number }

/** What became of the entries of these keys; those that are as they were are left out. */
export function entryChanges(
  keys: readonly xdr.LedgerKey[],
  { before, after, sequence, modified }: States,
): EntryChange[] {
  return keys.flatMap((key) => {
    const [old, now] = [before, after].map((state) =>
      readLedgerEntry({ state, sequence, instanceOf: () => undefined }, key),
    )
    if (old?.toXDR('base64') === now?.toXDR('base64')) return []
    return [
      {
        key,
        before: old && ledgerEntry(old, modified(key.toXDR('base64'))),
        after: now && ledgerEntry(now, sequence),
      },
    ]
  })
}

/** The keys of all that classic operations can change. */
export function classicKeys({ before, after }: { before: LedgerState; after: LedgerState }): xdr.LedgerKey[] {
  const names = (kind: 'accounts' | 'trustlines') => new Set([...before[kind].keys(), ...after[kind].keys()])
  const data = [...names('accounts')].flatMap((address) =>
    [
      ...new Set([before, after].flatMap((state) => [...(state.accounts.get(address)?.data.keys() ?? [])])),
    ].map((name) => dataLedgerKey(address, name)),
  )
  const trustlines = [...names('trustlines')].map((name) => {
    const [address = '', asset = ''] = name.split('/')
    return trustlineLedgerKey(address, asset)
  })
  return [...[...names('accounts')].map(accountLedgerKey), ...trustlines, ...data]
}

/** Changes as a transaction's meta has them. */
export function formatChanges(changes: readonly EntryChange[]): xdr.LedgerEntryChange[] {
  return changes.flatMap(({ key, before, after }) => {
    if (before === undefined)
      return after === undefined ? [] : [xdr.LedgerEntryChange.ledgerEntryCreated(after)]
    const state = xdr.LedgerEntryChange.ledgerEntryState(before)
    return [
      state,
      after === undefined
        ? xdr.LedgerEntryChange.ledgerEntryRemoved(key)
        : xdr.LedgerEntryChange.ledgerEntryUpdated(after),
    ]
  })
}

function dataLedgerKey(address: string, name: string): xdr.LedgerKey {
  const accountId = accountLedgerKey(address).account().accountId()
  return xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId, dataName: name }))
}

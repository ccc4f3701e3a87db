import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { accountLedgerKey, trustlineLedgerKey } from '../entries/ledgerKeys.ts'
import { ledgerEntry, readLedgerEntry } from '../entries/readLedgerEntry.ts'
import type { LedgerState } from '../entries/state.ts'
import type { HostResult } from '../host/runHostFunction.ts'

/** A transaction's meta: the changes of each operation, and a call's return value and events. */
export function transactionMeta({
  host,
  changes,
}: {
  host: HostResult | undefined
  changes: readonly (readonly EntryChange[])[]
}): Xdr.TransactionMeta {
  const operations = changes.map(
    (ofOperation) =>
      new xdr.OperationMetaV2({
        ext: new xdr.ExtensionPoint(0),
        changes: formatChanges(ofOperation),
        events: [...(host?.events ?? [])],
      }),
  )
  return new xdr.TransactionMeta(
    4,
    new xdr.TransactionMetaV4({
      ext: new xdr.ExtensionPoint(0),
      txChangesBefore: [],
      operations,
      txChangesAfter: [],
      sorobanMeta: host === undefined ? null : sorobanMeta(host),
      events: [],
      diagnosticEvents: [],
    }),
  )
}

function sorobanMeta({ returnValue }: HostResult): Xdr.SorobanTransactionMetaV2 {
  return new xdr.SorobanTransactionMetaV2({ ext: new xdr.SorobanTransactionMetaExt(0), returnValue })
}

/** An entry before and after; undefined where it did not exist. */
export type EntryChange = {
  key: Xdr.LedgerKey
  before: Xdr.LedgerEntry | undefined
  after: Xdr.LedgerEntry | undefined
}

type States = { before: LedgerState; after: LedgerState; sequence: number; modified: (key: string) => number }

/** The changes of the entries with these keys; unchanged entries are omitted. */
export function entryChanges(
  keys: readonly Xdr.LedgerKey[],
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

export function classicKeys({ before, after }: { before: LedgerState; after: LedgerState }): Xdr.LedgerKey[] {
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

function formatChanges(changes: readonly EntryChange[]): Xdr.LedgerEntryChange[] {
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

function dataLedgerKey(address: string, name: string): Xdr.LedgerKey {
  const accountId = accountLedgerKey(address).account().accountId()
  return xdr.LedgerKey.data(new xdr.LedgerKeyData({ accountId, dataName: name }))
}

import { expect, test } from 'vitest'
import { createLedger } from './createLedger.ts'

test.each([
  ['ledgerSeconds', 0],
  ['ledgerSeconds', Number.NaN],
  ['applyAfterMs', -1],
  ['applyAfterMs', Number.POSITIVE_INFINITY],
])('rejects %s %s', (field, value) => {
  expect(() => createLedger({ [field]: value })).toThrow(
    expect.objectContaining({ name: 'LedgerError', field }),
  )
})
test('never closes a ledger by itself when ledgerSeconds is Infinity', () => {
  let seconds = 1_800_000_000
  const ledger = createLedger({ now: () => seconds * 1000, ledgerSeconds: Number.POSITIVE_INFINITY })
  const before = ledger.latest()
  seconds += 3600
  expect(ledger.latest()).toEqual(before)
})

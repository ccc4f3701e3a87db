import { expect, test } from 'vitest'
import { createLedger } from './createLedger.ts'

test.each([
  ['ledgerSeconds', 0],
  ['ledgerSeconds', Number.NaN],
  ['applyAfterMs', -1],
  ['applyAfterMs', Number.POSITIVE_INFINITY],
])('a ledger does not start with %s %s', (field, value) => {
  expect(() => createLedger({ [field]: value })).toThrow(
    expect.objectContaining({ name: 'LedgerError', field }),
  )
})
test('a ledger that follows no clock stays where it is', () => {
  let seconds = 1_800_000_000
  const ledger = createLedger({ now: () => seconds * 1000, ledgerSeconds: Number.POSITIVE_INFINITY })
  const before = ledger.latest()
  seconds += 3600
  expect(ledger.latest()).toEqual(before)
})

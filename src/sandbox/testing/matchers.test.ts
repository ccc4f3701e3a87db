import './vitest.ts'
import { encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ReportedNft, RuleFinding } from '../simulation/redeemReport.ts'
import { accounts, report, soldOutReport } from '../simulation/text/report.fixture.ts'

const finding = (severity: 'warning' | 'danger', code: RuleFinding['code']): RuleFinding => ({
  severity,
  code,
  message: `${code} in words.`,
})

/** Returns the message of an assertion that must fail. */
const messageOf = (assertion: () => void): string => {
  try {
    assertion()
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  throw new Error('The assertion passed.')
}

describe('toSettle', () => {
  test('accepts a redeem that succeeds and breaks no rule', () => {
    expect(report()).toSettle()
  })

  test('accepts a warning', () => {
    expect(report({ verdict: 'caution', findings: [finding('warning', 'UPGRADEABLE')] })).toSettle()
  })

  test('rejects a broken rule unless it is allowed', () => {
    const findings = [finding('danger', 'PULLS_LESS'), finding('danger', 'LEAVES_ALLOWANCE')]
    const broken = report({ verdict: 'refuse', findings })
    expect(broken).not.toSettle()
    expect(broken).not.toSettle({ allow: ['PULLS_LESS'] })
    expect(broken).toSettle({ allow: ['PULLS_LESS', 'LEAVES_ALLOWANCE'] })
  })

  test('never allows a revert', () => {
    expect(soldOutReport()).not.toSettle({ allow: ['CALL_REVERTS'] })
  })

  test('prints the broken rule and the report', () => {
    const message = messageOf(() => expect(soldOutReport()).toSettle())
    expect(message).toContain('It reverts: SoldOut: limit 5')
    expect(message).toContain('CALL_REVERTS: The call fails')
    expect(message).toContain('buy(')
  })

  test('rejects an unknown rule', () => {
    // JavaScript callers can pass any text.
    const allow = ['PULLS_LES' as 'PULLS_LESS']
    expect(() => expect(report()).toSettle({ allow })).toThrow(/"PULLS_LES" is not a rule/)
  })

  test('rejects values that are not a report, even with `not`', () => {
    for (const value of [undefined, {}, 'settled', [report()]])
      expect(() => expect(value).not.toSettle()).toThrow(/which is not a report/)
  })
})

describe('a promise of a report', () => {
  test('is awaited', async () => {
    await expect(Promise.resolve(report())).toSettle()
    await expect(Promise.resolve(soldOutReport())).not.toSettle()
    await expect(Promise.resolve(soldOutReport())).toRevertWith('SoldOut')
  })

  test('fails if its report fails', async () => {
    const failed = Promise.resolve(expect(Promise.resolve(soldOutReport())).toSettle())
    await expect(failed).rejects.toThrow(/It reverts/)
  })
})

describe('toDeliverNft', () => {
  const nft: ReportedNft = {
    contract: accounts.shop,
    standard: 'ERC-721',
    id: 7n,
    amount: 1n,
    mintedTo: accounts.credits,
    holder: accounts.customer,
    holderIs: 'customer',
  }
  const delivered = report({ nfts: [nft] })
  const contract = accounts.shop

  test('accepts a token that the customer owns at the end', () => {
    expect(delivered).toDeliverNft({ contract })
    expect(delivered).toDeliverNft({ contract, id: 7n, to: accounts.customer })
  })

  test('compares addresses case-insensitively', () => {
    expect(delivered).toDeliverNft({ contract: `0x${contract.slice(2).toLowerCase()}` })
  })

  test.each([
    [{ contract, id: 8n }],
    [{ contract, to: accounts.stranger }],
    [{ contract: accounts.stranger }],
  ])('rejects a different delivery, case %#', (delivery) => {
    expect(delivered).not.toDeliverNft(delivery)
  })

  test('names the holder of a token that does not reach the customer', () => {
    const stuck = report({ nfts: [{ ...nft, holder: accounts.credits, holderIs: 'credits contract' }] })
    expect(messageOf(() => expect(stuck).toDeliverNft({ contract }))).toContain(
      `Token 7 belongs to ${accounts.credits} (credits contract)`,
    )
  })

  test('rejects a redeem that reverts', () => {
    expect(soldOutReport({ nfts: [nft] })).not.toDeliverNft({ contract })
  })
})

describe('toRevertWith', () => {
  const abi = parseAbi(['error SoldOut(uint256 limit)', 'error Closed()'])
  const data = encodeErrorResult({ abi, errorName: 'SoldOut', args: [5n] })
  const { execution } = soldOutReport()
  if (execution.succeeded) throw new Error('The fixture reverts.')
  const soldOut = soldOutReport({ execution: { ...execution, data } })

  test.each([
    ['SoldOut'],
    ['SoldOut: limit 5'],
    [/limit [5-9]/],
    [{ abi, errorName: 'SoldOut', args: [5n] }],
  ])('recognizes SoldOut(5) in form %#', (expected) => {
    expect(soldOut).toRevertWith(expected)
  })

  test.each([
    ['Sold'],
    ['limit 5'],
    [/limit 6/],
    [{ abi, errorName: 'SoldOut', args: [6n] }],
    [{ abi, errorName: 'Closed' }],
  ])('distinguishes SoldOut(5) from other errors, case %#', (expected) => {
    expect(soldOut).not.toRevertWith(expected)
  })

  test('accepts the text of a require', () => {
    const refused = { ...execution, error: 'Error', reason: 'no receiver' }
    expect(soldOutReport({ execution: refused })).toRevertWith('no receiver')
  })

  test('rejects a redeem that succeeds', () => {
    expect(report()).not.toRevertWith(/.*/)
  })
})

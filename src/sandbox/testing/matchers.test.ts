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

/** The message of an assertion that fails. */
const messageOf = (assertion: () => void): string => {
  try {
    assertion()
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  throw new Error('The assertion passed.')
}

describe('toSettle', () => {
  test('a redeem that succeeds and breaks no rule settles', () => {
    expect(report()).toSettle()
  })

  test('a warning does not keep it from settling', () => {
    expect(report({ verdict: 'caution', findings: [finding('warning', 'UPGRADEABLE')] })).toSettle()
  })

  test('a redeem that breaks a rule does not settle, unless it is allowed', () => {
    const findings = [finding('danger', 'PULLS_LESS'), finding('danger', 'LEAVES_ALLOWANCE')]
    const broken = report({ verdict: 'refuse', findings })
    expect(broken).not.toSettle()
    expect(broken).not.toSettle({ allow: ['PULLS_LESS'] })
    expect(broken).toSettle({ allow: ['PULLS_LESS', 'LEAVES_ALLOWANCE'] })
  })

  test('a revert is never allowed', () => {
    expect(soldOutReport()).not.toSettle({ allow: ['CALL_REVERTS'] })
  })

  test('the message contains the broken rule and the report', () => {
    const message = messageOf(() => expect(soldOutReport()).toSettle())
    expect(message).toContain('It reverts: SoldOut: limit 5')
    expect(message).toContain('CALL_REVERTS: The call fails')
    expect(message).toContain('buy(')
  })

  test('a rule that does not exist is refused', () => {
    // As plain JavaScript may call it.
    const allow = ['PULLS_LES' as 'PULLS_LESS']
    expect(() => expect(report()).toSettle({ allow })).toThrow(/"PULLS_LES" is not a rule/)
  })

  test('anything but a report is rejected, also by not', () => {
    for (const value of [undefined, {}, 'settled', [report()]])
      expect(() => expect(value).not.toSettle()).toThrow(/which is not a report/)
  })
})

describe('a promise of a report', () => {
  test('is waited for', async () => {
    await expect(Promise.resolve(report())).toSettle()
    await expect(Promise.resolve(soldOutReport())).not.toSettle()
    await expect(Promise.resolve(soldOutReport())).toRevertWith('SoldOut')
  })

  test('fails the assertion when the report does', async () => {
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

  test('a token that the customer has in the end is delivered', () => {
    expect(delivered).toDeliverNft({ contract })
    expect(delivered).toDeliverNft({ contract, id: 7n, to: accounts.customer })
  })

  test('addresses are compared in any letter case', () => {
    expect(delivered).toDeliverNft({ contract: `0x${contract.slice(2).toLowerCase()}` })
  })

  test.each([
    [{ contract, id: 8n }],
    [{ contract, to: accounts.stranger }],
    [{ contract: accounts.stranger }],
  ])('no other one is, %#', (delivery) => {
    expect(delivered).not.toDeliverNft(delivery)
  })

  test('a token left behind is reported with its holder', () => {
    const stuck = report({ nfts: [{ ...nft, holder: accounts.credits, holderIs: 'credits contract' }] })
    expect(messageOf(() => expect(stuck).toDeliverNft({ contract }))).toContain(
      `Token 7 belongs to ${accounts.credits} (credits contract)`,
    )
  })

  test('nothing is delivered by a redeem that reverts', () => {
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
  ])('SoldOut(5) is recognized in form %#', (expected) => {
    expect(soldOut).toRevertWith(expected)
  })

  test.each([
    ['Sold'],
    ['limit 5'],
    [/limit 6/],
    [{ abi, errorName: 'SoldOut', args: [6n] }],
    [{ abi, errorName: 'Closed' }],
  ])('SoldOut(5) is no other error, %#', (expected) => {
    expect(soldOut).not.toRevertWith(expected)
  })

  test('the text of a require is a reason', () => {
    const refused = { ...execution, error: 'Error', reason: 'no receiver' }
    expect(soldOutReport({ execution: refused })).toRevertWith('no receiver')
  })

  test('a redeem that succeeds reverts with nothing', () => {
    expect(report()).not.toRevertWith(/.*/)
  })
})

import { type Hex, pad, toHex } from 'viem'
import { expect, test } from 'vitest'
import { accounts, frame, redeemFrame, report } from '../text/report.fixture.ts'
import type { RuleContext } from './rule.ts'
import { ruleContext } from './rules.fixture.ts'
import { leftBehindOf } from './staysBehind.ts'

const { customer, credits, shop, stranger, relayer } = accounts
const sold: RuleContext['tokens'][number] = {
  contract: shop,
  standard: 'ERC-721',
  id: 7n,
  amount: 1n,
  mintedTo: undefined,
  holder: credits,
  claimed: credits,
  wasThere: false,
}
const allowance = (before: bigint, after: bigint) => ({
  allowances: [{ owner: shop, spender: stranger, before, after }],
})
const coins = frame({
  logs: [
    {
      address: stranger,
      topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', pad(shop), pad(credits)],
      data: toHex(5n, { size: 32 }),
      text: undefined,
    },
  ],
})
const relayedBy = (wallet: Hex) => ({ redeem: { ...report().redeem, wallet } })

test.each<[string, Partial<RuleContext>, string | undefined]>([
  ['nothing', {}, undefined],
  ['a token', { tokens: [sold] }, `ERC-721 token 7 of ${shop} in the credits contract`],
  ['a token that was already there', { tokens: [{ ...sold, wasThere: true }] }, undefined],
  ['a token of the customer', { tokens: [{ ...sold, holder: customer }] }, undefined],
  [
    'a token of the relayer',
    { tokens: [{ ...sold, holder: relayer }] },
    `ERC-721 token 7 of ${shop} with the relayer`,
  ],
  [
    'a token of a relayer that is the customer',
    { tokens: [{ ...sold, holder: relayer }], ...relayedBy(relayer) },
    undefined,
  ],
  [
    'ERC-20 tokens',
    { frame: redeemFrame([coins]) },
    `5 raw units of the ERC-20 token ${stranger} in the credits contract`,
  ],
  ['an allowance', allowance(0n, 5_000_000n), `an allowance of ${stranger} over 5.00 USDC of ${shop}`],
  [
    'an allowance over all USDC',
    allowance(0n, 2n ** 256n - 1n),
    `an allowance of ${stranger} over all USDC of ${shop}`,
  ],
  ['an allowance that was already there', allowance(5n, 5n), undefined],
])('the text about leftovers for %s', (_, more, line) => {
  expect(leftBehindOf(ruleContext(frame(), more))).toEqual(line === undefined ? [] : [line])
})

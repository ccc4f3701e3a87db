import { setupFork } from '@redeemkit/sandbox/testing/vitest'
import { safeMint } from 'redeemkit/evm'
import { parseAbi } from 'viem'
import { expect, test } from 'vitest'
import generousShop from './out/TicketShop.sol/GenerousShop.json' with { type: 'json' }
import silentShop from './out/TicketShop.sol/SilentShop.json' with { type: 'json' }
import ticketShop from './out/TicketShop.sol/TicketShop.json' with { type: 'json' }

const abi = parseAbi(['function buy(uint256 price)', 'error SoldOut(uint256 limit)'])
const price = 10_000_000n // 10 USDC

// A chain for this file, reset after each test. With forkUrl: '…' and record: 'fork.json' it is a copy of a real one.
const fork = setupFork({ blockchain: 'base' })

/** Deploys a shop, whitelists it, and returns a customer's purchase there. */
async function open(artifact: typeof ticketShop, tickets = 2n) {
  const shop = await fork.deploy({ ...artifact, args: [fork.usdc, tickets] })
  await fork.whitelist({ target: shop, selector: 'buy(uint256)' })
  const transactionData = safeMint({ to: shop, abi, functionName: 'buy', args: [price] })
  return { shop, purchase: { transactionData, amount: price, abis: [abi] } }
}

test('a ticket is paid for, and the customer has it', async () => {
  const { shop, purchase } = await open(ticketShop)
  expect(await fork.simulateRedeem(purchase)).toSettle() // No transaction is sent.
  const report = await fork.redeem({ ...purchase, usdcAmount: 4_000_000n }) // 6 from credits, 4 in USDC
  expect(report).toSettle()
  expect(report).toDeliverNft({ contract: shop, id: 1n, to: fork.accounts.alice.address })
})

test('a sold-out ticket is not charged', async () => {
  const { purchase } = await open(ticketShop, 0n)
  const report = await fork.simulateRedeem(purchase)
  expect(report).toRevertWith('SoldOut')
  expect(report).toRevertWith({ abi, errorName: 'SoldOut', args: [0n] })
})

test('a shop that mints without the hook must not be whitelisted', async () => {
  const { purchase } = await open(silentShop)
  const report = await fork.simulateRedeem(purchase)
  expect(report).not.toSettle() // the failure of toSettle() prints the whole report
  expect(report).toMatchObject({ verdict: 'refuse', findings: [{ code: 'MINTS_WITHOUT_HOOK' }] })
})

test('a shop that takes only half of the price settles with a warning', async () => {
  const { purchase } = await open(generousShop)
  const report = await fork.simulateRedeem(purchase)
  expect(report).toSettle() // the customer gets the other half back as credits
  expect(report).toMatchObject({ verdict: 'caution', findings: [{ code: 'PULLS_LESS' }] })
})

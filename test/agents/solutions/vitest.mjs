import { readFileSync } from 'node:fs'
import { setupFork } from '@redeemkit/sandbox/testing/vitest'
import { safeMint } from 'redeemkit/evm'
import { parseAbi } from 'viem'
import { expect, test } from 'vitest'

const artifact = JSON.parse(readFileSync(process.env.ARTIFACT, 'utf8'))
const abi = parseAbi(['function buy(uint256 price)', 'error SoldOut(uint256 limit)'])
const price = 10_000_000n

const fork = setupFork({ blockchain: 'base' })

async function open(limit) {
  const shop = await fork.deploy({ ...artifact, args: [fork.usdc, limit] })
  await fork.whitelist({ target: shop, selector: 'buy(uint256)' })
  const transactionData = safeMint({ to: shop, abi, functionName: 'buy', args: [price] })
  return { shop, purchase: { transactionData, amount: price, abis: [abi] } }
}

test('a customer pays the price and gets the ticket', async () => {
  const { shop, purchase } = await open(2n)
  const report = await fork.redeem(purchase)
  expect(report.verdict).toBe('ok')
  expect(report).toDeliverNft({ contract: shop, id: 1n, to: fork.accounts.alice.address })
})

test('a sold-out shop reverts with SoldOut', async () => {
  const { purchase } = await open(0n)
  const report = await fork.simulateRedeem(purchase)
  expect(report).toRevertWith({ abi, errorName: 'SoldOut', args: [0n] })
})

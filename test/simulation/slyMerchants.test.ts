import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulateRedeem } from '../../src/simulation/simulateRedeem.ts'
import { creditSeed, relayer, type Stage, startStage, wallet } from './startStage.ts'

/** Merchants that are honest in the usual circumstances only. `contracts/test/RedeemTestSly.t.sol` judges them in Foundry. */

const amount = 10_000_000n
const buyAbi = parseAbi(['function buy(address receiver, uint256 price)'])

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
}, 120_000)
afterAll(() => stage?.stop())

async function judge(name: string) {
  const merchant = await stage.deploy(name)
  await stage.allow(merchant.address)
  const data = encodeFunctionData({ abi: buyAbi, functionName: 'buy', args: [wallet, amount] })
  const { creditsContract, client } = stage
  return simulateRedeem(client, {
    ...{ creditsContract, creditSeed, relayer, wallet, amount },
    transactionData: { transaction: { to: merchant.address, data } },
    rules: 'all',
  })
}

describe('the money of others, where they have approved it', () => {
  test.each([
    ['AsksBeforeItTakes', `takes 10.00 USDC from the customer, ${wallet}`],
    ['TakesFromTheRich', `takes 10.00 USDC from tx.origin, the relayer ${relayer}`],
  ])('%s %s', async (name, how) => {
    const { findings, notJudged } = await judge(name)
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'PULLS_FROM_OTHERS',
        severity: 'danger',
        message: expect.stringContaining(how),
      }),
    )
    expect(notJudged).toEqual([])
  })
})

test('a merchant that looks at the gas, and stores something else', async () => {
  const { findings } = await judge('LooksAtGas')
  expect(findings).toMatchObject([
    {
      code: 'KEEPS_MONEY_ON_SHORT_GAS',
      severity: 'danger',
      message: expect.stringContaining('stores something else'),
    },
  ])
})

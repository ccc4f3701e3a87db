import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulateRedeem } from '../../src/sandbox/simulation/simulateRedeem.ts'
import { creditSeed, relayer, type Stage, startStage, wallet } from './startStage.ts'

/** Merchants that are honest only under usual conditions. `contracts/test/RedeemTest.t.sol` judges them in Foundry. */

const amount = 10_000_000n
const buyAbi = parseAbi([
  'function buy(address receiver, uint256 price)',
  'function multicall(bytes[] calls)',
])

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
}, 120_000)
afterAll(() => stage?.stop())

async function judge(name: string, options: { bundled?: boolean; coins?: bigint } = {}) {
  const merchant = await stage.deploy(name)
  await stage.allow(merchant.address)
  if (options.coins !== undefined) await stage.rpc.setBalance(merchant.address, options.coins)
  const buy = encodeFunctionData({ abi: buyAbi, functionName: 'buy', args: [wallet, amount] })
  const multicall = () => encodeFunctionData({ abi: buyAbi, functionName: 'multicall', args: [[buy]] })
  const data = options.bundled ? multicall() : buy
  if (options.bundled) await stage.allow(merchant.address, { selector: '0xac9650d8' })
  const { creditsContract, client } = stage
  return simulateRedeem(client, {
    ...{ creditsContract, creditSeed, relayer, wallet, amount },
    transactionData: { transaction: { to: merchant.address, data } },
    rules: 'all',
  })
}

describe('USDC that other accounts have approved', () => {
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

test('a merchant that reads the gas and stores a different value is reported', async () => {
  const { findings } = await judge('LooksAtGas')
  expect(findings).toMatchObject([
    {
      code: 'KEEPS_MONEY_ON_SHORT_GAS',
      severity: 'danger',
      message: expect.stringContaining('stores different values'),
    },
  ])
})

describe('conditions that a dry run does not have', () => {
  test.each([
    ['ClosesByBlock', /^60 minutes later, it fails: /],
    ['DrawsLots', /^In another block, it moves /],
    ['LooksAtGasPrice', /^In another block, it moves /],
  ])('%s: %s', async (name, message) => {
    const { findings } = await judge(name)
    expect(findings).toMatchObject([
      { code: 'DEPENDS_ON_TIME', severity: 'warning', message: expect.stringMatching(message) },
    ])
  })

  test('native coin that the relayer gains is reported', async () => {
    const { findings } = await judge('BribesRelayer', { coins: 10n })
    expect(findings).toMatchObject([
      { code: 'USES_TX_ORIGIN', message: expect.stringContaining(`of the chain's own coin from`) },
    ])
  })
})

describe('tokens that do not stay with the customer', () => {
  test('a token that is taken back in the same call is reported', async () => {
    const { findings, verdict } = await judge('TakesTokenBack')
    expect(verdict).toBe('refuse')
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'WRONG_NFT_ID',
        message: expect.stringMatching(/reaches the customer and then goes to 0x0{36}B055/),
      }),
    )
  })

  test('a token that goes to another account, although the call data names the customer, is reported', async () => {
    const { findings } = await judge('HandsToAnother')
    expect(findings).toMatchObject([
      {
        code: 'RECEIVER_NOT_CUSTOMER',
        severity: 'warning',
        message: expect.stringMatching(/goes to 0x0{36}B055, and none to the customer/),
      },
    ])
  })
})

test('a token that goes to another account only if the wallet has no code is reported', async () => {
  const { findings, redeem } = await judge('LooksAtWalletCode')
  expect(redeem.signatures).toBe('assumed')
  expect(findings).toMatchObject([
    {
      code: 'RECEIVER_NOT_CUSTOMER',
      severity: 'danger',
      message: expect.stringMatching(/^For a customer whose wallet has no code, it moves .* to 0x0{36}B055/),
    },
  ])
})

describe('delegated code', () => {
  test("can be changed, although the target's code contains an address", async () => {
    expect((await judge('SetsOtherCode')).findings).toMatchObject([
      { code: 'UPGRADEABLE', message: expect.stringContaining('an address in its storage') },
    ])
  })

  test('belongs to the target if the target delegates to itself', async () => {
    expect((await judge('BundlesItsOwn', { bundled: true })).findings).toEqual([])
  })
})

test('a reverted pull is ignored', async () => {
  const { findings } = await judge('UndoesItsPull')
  expect(findings.map(({ code }) => code)).toEqual(['PULLS_NOTHING', 'SWALLOWS_FAILURE'])
})

test('a delivery that silently fails with too little gas is reported', async () => {
  const { findings } = await judge('LosesOnShortGas')
  expect(findings).toMatchObject([
    { code: 'KEEPS_MONEY_ON_SHORT_GAS', message: expect.stringContaining('it ran out of gas') },
  ])
})

test('a text that the credits contract truncates shows its origin', async () => {
  const { execution, redeem } = await judge('SaysTooMuch')
  expect(execution).toMatchObject({
    succeeded: false,
    contract: redeem.target,
    reason: expect.stringMatching(/^A{20,}/),
  })
})

test('an invalid instruction is not named as an ABI error', async () => {
  const { execution } = await judge('StopsAtOnce')
  expect(execution).toMatchObject({ succeeded: false, reason: 'it hit an invalid opcode' })
  expect(execution).toMatchObject({ fix: expect.stringContaining('an assert of an old compiler') })
})

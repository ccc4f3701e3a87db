import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import verdicts from '../../contracts/test/mocks/verdicts.json' with { type: 'json' }
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { ruleCatalogue } from '../../src/sandbox/simulation/rules/ruleCatalogue.ts'
import { simulateRedeem } from '../../src/sandbox/simulation/simulateRedeem.ts'
import { creditSeed, dryRunOn, relayer, type Stage, startStage, wallet } from './startStage.ts'

/**
 * Every merchant contract breaks exactly the rules of the table. `RedeemTest` is compared with the same table. A dry run before signing
 * finds the rules that make a redeem fail.
 */

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
}, 120_000)
afterAll(() => stage?.stop())

/** Findings of a dry run for the rules that make a redeem fail. Redeems that break only other rules succeed. */
const seenBefore: Readonly<Record<string, string>> = {
  PULLS_MORE: 'CALL_REVERTS',
  PULLS_FROM_OTHERS: 'CALL_REVERTS',
  NEEDS_NATIVE_COIN: 'CALL_REVERTS',
  REENTERS: 'CALL_REVERTS',
  MINTS_WITHOUT_HOOK: 'MINTS_WITHOUT_HOOK',
  RETURNS_NO_ID: 'RETURNS_NO_ID',
  WRONG_NFT_ID: 'WRONG_NFT_ID',
}

test.each(verdicts)('$contract as $shape: $codes', async ({ contract, shape, codes }) => {
  const { abi, transactionData } = await deployCase(stage, { contract, shape })
  const report = await simulateRedeem(stage.client, {
    creditsContract: stage.creditsContract,
    creditSeed,
    relayer,
    wallet,
    amount,
    transactionData,
    abis: [abi],
    rules: 'all',
  })
  expect(report.findings.map(({ code }) => code).sort()).toEqual([...codes].sort())
  expect(report.notJudged).toEqual([])
  const dryRun = await dryRunOn(stage, { transactionData })
  expect(dryRun.map(({ code }) => code)).toEqual(codes.flatMap((code) => seenBefore[code] ?? []))
  expect(dryRun.length === 0).toBe(report.execution.succeeded)
})

test('each rule that a contract alone can break is broken by a contract of the table', () => {
  const broken = new Set(verdicts.flatMap(({ codes }) => codes))
  expect(ruleCatalogue.map(({ code }) => code).filter((code) => !broken.has(code))).toEqual([
    'NOT_WHITELISTED',
    'SELECTOR_NOT_WHITELISTED',
    'CALL_REVERTS',
    'RECEIVER_NOT_CUSTOMER',
  ])
})

/** Price of every contract of `verdicts.json`. */
const amount = 10_000_000n

/** Deploys and whitelists a contract of `verdicts.json` with its goods. */
async function deployCase(
  stage: Stage,
  { contract, shape }: { contract: string; shape: string },
): Promise<{ abi: Abi; transactionData: TransactionData }> {
  const merchant = await stage.deploy(contract)
  await stage.allow(merchant.address)
  if (contract === 'KnownTokenIdMerchant')
    await stage.rpc.send({
      from: wallet,
      to: merchant.address,
      data: encodeFunctionData({ abi: merchant.abi, functionName: 'list', args: [5n, amount] }),
    })
  return { abi: merchant.abi, transactionData: transactionData(merchant, contract, shape) }
}

/** The called function; most have `buy(customer, price)`. */
const calls: Readonly<Record<string, [name: string, ...args: unknown[]]>> = {
  SafeMintMerchant721: ['mint', 2n, amount],
  SafeMintMerchant1155: ['mint', 7n, 3n, amount],
  ReturnedMerchant: ['mint', amount],
  MintsWithoutHook: ['mint', amount],
  BonusStaysWithCaller: ['mint', amount],
  ReturnsNoId: ['mint', amount],
  KnownTokenIdMerchant: ['buy', 5n],
  WrongNftId: ['buy', 5n],
}

function transactionData(
  merchant: { address: Hex; abi: Abi },
  contract: string,
  shape: string,
): TransactionData {
  const [functionName, ...args] = calls[contract] ?? ['buy', wallet, amount]
  const transaction = {
    to: merchant.address,
    data: encodeFunctionData({ abi: contract === 'Upgradeable' ? buyAbi : merchant.abi, functionName, args }),
  }
  if (shape === 'knownTokenId') return { transaction, nftContract: merchant.address, nftId: '5' }
  // Two of the types have a `type` field.
  return shape === 'normal' ? { transaction } : { type: shape as 'safeMint' | 'returned', transaction }
}

const buyAbi: Abi = [
  {
    type: 'function',
    name: 'buy',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'receiver', type: 'address' },
      { name: 'price', type: 'uint256' },
    ],
    outputs: [],
  },
]

import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import verdicts from '../../contracts/test/mocks/rules/verdicts.json' with { type: 'json' }
import type { TransactionData } from '../../src/schema/index.ts'
import { simulateRedeem } from '../../src/simulation/simulateRedeem.ts'
import { creditSeed, relayer, type Stage, startStage, wallet } from './startStage.ts'

/** Every merchant contract breaks the rules that the table says, and no other. `RedeemTest` is held to the same table. */

const amount = 10_000_000n
let stage: Stage
beforeAll(async () => {
  stage = await startStage()
}, 120_000)
afterAll(() => stage?.stop())

/** What is called of a contract; most have `buy(customer, price)`. */
const calls: Readonly<Record<string, [name: string, ...args: unknown[]]>> = {
  SafeMintMerchant721: ['mint', 2n, amount],
  SafeMintMerchant1155: ['mint', 7n, 3n, amount],
  ReturnedMerchant: ['mint', amount],
  MintsWithoutHook: ['mint', amount],
  ReturnsNoId: ['mint', amount],
  KnownTokenIdMerchant: ['buy', 5n],
  WrongNftId: ['buy', 5n],
}

test.each(verdicts)('$contract as $shape: $codes', async ({ contract, shape, codes }) => {
  const merchant = await stage.deploy(contract)
  await stage.allow(merchant.address)
  if (contract === 'KnownTokenIdMerchant')
    await stage.rpc.send({
      from: wallet,
      to: merchant.address,
      data: encodeFunctionData({ abi: merchant.abi, functionName: 'list', args: [5n, amount] }),
    })
  const report = await simulateRedeem(stage.client, {
    creditsContract: stage.creditsContract,
    creditSeed,
    relayer,
    wallet,
    amount,
    transactionData: transactionData(merchant, contract, shape),
    abis: [merchant.abi],
    rules: 'all',
  })
  expect(report.findings.map(({ code }) => code).sort()).toEqual([...codes].sort())
  expect(report.notJudged).toEqual([])
})

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
  // the two shapes that are told by their type
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

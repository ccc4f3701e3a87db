import { afterAll, beforeAll, expect, test } from 'vitest'
import verdicts from '../../contracts/test/mocks/verdicts.json' with { type: 'json' }
import { simulateRedeem } from '../../src/sandbox/simulation/simulateRedeem.ts'
import { amount, deployCase } from './deployCase.ts'
import { dryRunOn } from './dryRunOn.ts'
import { creditSeed, relayer, type Stage, startStage, wallet } from './startStage.ts'

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

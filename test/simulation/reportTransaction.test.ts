import {
  type Abi,
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  keccak256,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { orderKey, redeemIntentNonce, settlementHash, settlementOf } from '../../src/redeemkit/evm/index.ts'
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { giveCredits } from '../../src/sandbox/chains/anvil/deployCredits.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import {
  agreeableCode,
  type RedeemRequest,
  redeemCall,
  redeemRequest,
} from '../../src/sandbox/simulation/redeemRequest.ts'
import { reportTransaction } from '../../src/sandbox/simulation/reportTransaction.ts'
import { creditSeed, receiver, relayer, type Stage, startStage } from './startStage.ts'

const amount = 10_000_000n
/** A contract that accepts every signature. */
const wallet: Hex = '0x00000000000000000000000000000000a9Ee0001'

let stage: Stage
let shop: { address: Hex; abi: Abi }
let stays: { address: Hex; abi: Abi }
beforeAll(async () => {
  stage = await startStage()
  shop = await stage.deploy('NormalMerchant')
  stays = await stage.deploy('NftStaysWithCaller')
  for (const { address } of [shop, stays]) await stage.allow(address)
  await stage.rpc.setCode(wallet, agreeableCode)
  const { creditsContract } = stage
  await giveCredits(stage.rpc, { creditsContract, creditSeed, wallet, amount: 10n ** 10n })
  await stage.rpc.setBalance(relayer, 10n ** 20n)
  await stage.client.request({ method: 'anvil_impersonateAccount', params: [relayer] })
}, 120_000)
afterAll(() => stage?.stop())

let salts = 0
function requestFor(transactionData: TransactionData, options: { gasFee?: bigint } = {}): RedeemRequest {
  const salt = keccak256(toHex(++salts))
  const nonce = redeemIntentNonce({
    // Each salt is a separate order.
    orderKey: orderKey({ merchantId: 'shop', purchaseId: salt }),
    customerWallet: wallet,
    settlementHash: settlementHash(transactionData),
    amount,
    usdcAmount: 0n,
    salt,
  })
  return redeemRequest({
    permit: { customerWallet: wallet, creditSeed, amount: 2n * amount, validBefore: 2n ** 40n, nonce },
    signature: '0x',
    salt,
    intent: { settlement: settlementOf(transactionData), amount, usdcAmount: 0n },
    gasFee: options.gasFee ?? 0n,
  })
}

const buy = ({ address, abi }: { address: Hex; abi: Abi }, to: Hex = wallet): TransactionData => ({
  transaction: { to: address, data: encodeFunctionData({ abi, functionName: 'buy', args: [to, amount] }) },
})

/** Sends a transaction with a fixed gas limit, so that a failing transaction is mined too. */
async function send(data: Hex, to: Hex = stage.creditsContract): Promise<Hex> {
  const hash = await stage.client.request({
    method: 'eth_sendTransaction',
    params: [
      { from: relayer, to, data, gas: '0x2dc6c0', maxFeePerGas: '0x3b9aca00', maxPriorityFeePerGas: '0x0' },
    ],
  })
  // The method returns the hash.
  await waitForReceipt(stage.rpc.client, hash as Hex)
  return hash as Hex
}

const sendRedeem = (request: RedeemRequest) => send(redeemCall(stage, request).data)

const reportOf = (hash: Hex, options: Partial<reportTransaction.Options> = {}) =>
  reportTransaction(stage.client, {
    hash,
    creditsContract: stage.creditsContract,
    abis: [shop.abi],
    ...options,
  })

describe('a redeem that was mined', () => {
  test('reports movements and payments', async () => {
    const hash = await sendRedeem(requestFor(buy(shop), { gasFee: 30_000n }))
    expect(await reportOf(hash)).toMatchObject({
      verdict: 'ok',
      findings: [],
      redeem: { hash, shape: 'normal', wallet, relayer: relayer, signatures: 'real' },
      whitelist: { isAllowed: true },
      execution: { succeeded: true },
      usdc: { pulled: amount, received: [{ account: shop.address, amount }] },
      gas: { fee: 30_000n, charged: 10_030_000n },
    })
  })

  test('is compared with a run by another relayer, which may not charge a gas fee', async () => {
    const reader = await stage.deploy('OriginReader')
    await stage.allow(reader.address)
    const report = await reportOf(await sendRedeem(requestFor(buy(reader), { gasFee: 30_000n })))
    expect(report).toMatchObject({ verdict: 'ok', findings: [] })
    expect(report.notJudged.map(({ code }) => code)).not.toContain('USES_TX_ORIGIN')
  })

  test('reports its block', async () => {
    const hash = await sendRedeem(requestFor(buy(shop)))
    const { blockNumber } = await stage.rpc.client.getTransactionReceipt({ hash })
    expect((await reportOf(hash)).redeem.blockNumber).toBe(blockNumber)
  })

  test('every rule is checked, as in a simulation', async () => {
    const member = await stage.deploy('CallerBookkeeper')
    await stage.allow(member.address)
    const data = encodeFunctionData({ abi: member.abi, functionName: 'topUp', args: [amount] })
    const hash = await sendRedeem(requestFor({ transaction: { to: member.address, data } }))
    expect(await reportOf(hash)).toMatchObject({
      verdict: 'refuse',
      findings: [{ code: 'RECEIVER_NOT_CUSTOMER', severity: 'danger' }],
    })
  })

  test('is compared with runs in its own block', async () => {
    const lots = await stage.deploy('DrawsLots')
    await stage.allow(lots.address)
    // In half of the blocks, the shop pays part of the price back.
    for (let redeems = 0; redeems < 8; redeems++) {
      const { findings } = await reportOf(await sendRedeem(requestFor(buy(lots))))
      expect(findings.map(({ code }) => code)).toEqual(['DEPENDS_ON_TIME'])
    }
  })

  test('is reported with a token left behind', async () => {
    const hash = await sendRedeem(requestFor(buy(stays)))
    const report = await reportOf(hash)
    expect(report.findings.map(({ code }) => code)).toEqual(['NFT_STAYS_BEHIND'])
    expect(report.nfts).toMatchObject([{ holderIs: 'credits contract' }])
  })
})

describe('a redeem that was reverted', () => {
  test('is reported with the reason', async () => {
    const hash = await sendRedeem(requestFor(buy(shop, '0x0000000000000000000000000000000000000000')))
    expect(await reportOf(hash)).toMatchObject({
      verdict: 'refuse',
      execution: { succeeded: false, error: 'Error', reason: 'NormalMerchant: no receiver' },
      usdc: { pulled: 0n, received: [] },
    })
  })

  test('is reported for a second use of the same nonce', async () => {
    const request = requestFor(buy(shop))
    await sendRedeem(request)
    expect(await reportOf(await sendRedeem(request))).toMatchObject({
      execution: { error: 'OrderUsed', at: [] },
    })
  })
})

test('is reported as an item of a batch', async () => {
  const { inputs } = getAbiItem({ abi: creditsAbi, name: 'redeem' })
  const requests = [requestFor(buy(stays)), requestFor(buy(shop))]
  const hash = await send(
    encodeFunctionData({
      abi: creditsAbi,
      functionName: 'redeemBatch',
      args: [requests.map((request) => encodeAbiParameters(inputs, [request])), [600_000n, 600_000n]],
    }),
  )
  const [first, second] = [await reportOf(hash), await reportOf(hash, { item: 1 })]
  expect(first.findings.map(({ code }) => code)).toEqual(['NFT_STAYS_BEHIND'])
  expect(second).toMatchObject({ verdict: 'ok', redeem: { target: shop.address } })
  const nonce = requests[1]?.permit.nonce
  expect(await reportOf(hash, { item: nonce })).toMatchObject({ redeem: { target: shop.address } })
  await expect(reportOf(hash, { item: `0x${'12'.repeat(32)}` })).rejects.toThrow(/has no redeem 0x1212/)
  await expect(reportOf(hash, { item: 2 })).rejects.toThrow(
    expect.objectContaining({ name: 'NoRedeemError' }),
  )
})

describe('other transactions', () => {
  test('an unknown hash is rejected', async () => {
    await expect(reportOf(`0x${'12'.repeat(32)}`)).rejects.toThrow(/does not know transaction/)
  })

  test('a transaction of another contract is rejected', async () => {
    await expect(reportOf(await send('0x', receiver))).rejects.toThrow(/not the credits contract/)
  })

  test('another call of the credits contract is rejected', async () => {
    const data = encodeFunctionData({ abi: creditsAbi, functionName: 'withdrawFees' })
    await expect(reportOf(await send(data))).rejects.toThrow(/contains no redeem/)
  })
})

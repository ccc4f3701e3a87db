import { createPublicClient, encodeFunctionData, http } from 'viem'
import { redeemIntentNonce, settlementHash, settlementOf } from '../../../src/redeemkit/evm/index.ts'
import { agreeableCode, redeemCall, redeemRequest } from '../../../src/sandbox/simulation/redeemRequest.ts'
import { simulateRedeem } from '../../../src/sandbox/simulation/simulateRedeem.ts'
import { creditSeed, relayer, startStage, wallet } from '../../simulation/startStage.ts'
import { type Figure, ratio } from '../figure.ts'

const amount = 10_000_000n

export const simulation: Figure = {
  name: 'simulation',
  about:
    'a simulation of a simple shop call, including report and economic rules, compared with a bare eth_call of the same redeem, which shows only whether it reverts',
  measure: async () => {
    const stage = await startStage()
    try {
      const shop = await stage.deploy('NormalMerchant')
      await stage.allow(shop.address)
      const data = encodeFunctionData({ abi: shop.abi, functionName: 'buy', args: [wallet, amount] })
      const transactionData = { transaction: { to: shop.address, data } }
      const { creditsContract } = stage
      const client = createPublicClient({ transport: http(stage.url) })
      const redeem = { creditsContract, creditSeed, relayer, wallet, amount, transactionData }
      const abis = [shop.abi]
      const simulate = (rules: 'economic' | 'all') => async () => {
        const { verdict } = await simulateRedeem(client, { ...redeem, abis, rules })
        if (verdict !== 'ok') throw new Error(`A good redeem is ${verdict}.`)
        return verdict
      }
      const call = { from: relayer, ...bareCall(redeem) }
      const bare = () =>
        client.request({
          method: 'eth_call',
          params: [call, 'latest', { [wallet]: { code: agreeableCode } }],
        })
      const against = async (rules: 'economic' | 'all') => ratio({ ours: bare, theirs: simulate(rules) })
      return [
        {
          figure: 'simulation: a simple shop call, against a bare eth_call',
          ...(await against('economic')),
          goal: 6,
          better: 'lower',
          unit: '×',
        },
        {
          figure: 'simulation: the same with the trace rules',
          ...(await against('all')),
          goal: null,
          better: 'lower',
          unit: '×',
        },
      ]
    } finally {
      await stage.stop()
    }
  },
}

function bareCall(
  options: Pick<simulateRedeem.Options, 'creditsContract' | 'creditSeed' | 'transactionData'>,
) {
  const { creditsContract, transactionData } = options
  const salt = `0x${'01'.repeat(32)}` as const
  const intent = { amount, usdcAmount: 0n }
  const nonce = redeemIntentNonce({
    orderKey: `0x${'81'.repeat(12)}`,
    customerWallet: wallet,
    settlementHash: settlementHash(transactionData),
    ...intent,
    salt,
  })
  return redeemCall(
    { creditsContract },
    redeemRequest({
      permit: { customerWallet: wallet, creditSeed, amount, validBefore: 2n ** 40n, nonce },
      signature: '0x',
      salt,
      intent: { ...intent, settlement: settlementOf(transactionData) },
      gasFee: 0n,
    }),
  )
}

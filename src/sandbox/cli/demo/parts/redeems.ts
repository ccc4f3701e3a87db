import { erc20Abi } from 'viem'
import { creditsAbi } from '../../../../../contracts/generated/Credits.ts'
import { check, type DemoPart } from '../demoPart.ts'
import type { DemoSandbox } from '../demoSandbox.ts'
import { dollars, printTable, short } from '../report.ts'
import { payments, redeemShape, shapes } from '../shapes.ts'

export const redeems: DemoPart = {
  title: 'Redeem all transaction types, paid with credits, credits + USDC V1, and credits + USDC V2',
  run: async (demo, progress) => {
    const { home } = demo
    const { alice } = demo.sandbox.accounts
    const rows: string[][] = []
    for (const shape of shapes) {
      for (const [index, payment] of payments.entries()) {
        progress(`${shape.name}, ${payment.name}`)
        const before = await balancesOf(demo, alice.address)
        const { outcome, gasUsed } = await redeemShape(demo, { shape, payment, turn: index + 1 })
        const after = await balancesOf(demo, alice.address)
        check(
          before.credits - after.credits === outcome.charged - outcome.refunded,
          'credits moved as the event reports',
        )
        check(before.usdc - after.usdc === outcome.usdcAmount, 'USDC moved as the event reports')
        rows.push([
          shape.name,
          payment.name,
          short(outcome.hash),
          gasUsed.toLocaleString('en-US'),
          dollars(outcome.gasFee),
          `${dollars(outcome.charged)} credits${outcome.usdcAmount > 0n ? ` + ${dollars(outcome.usdcAmount)} USDC` : ''} → ${await shape.received(demo, index + 1)}`,
        ])
      }
    }
    return () =>
      printTable('Redeems: 10.00 USD each, signed by alice, who has no native coin for gas', {
        head: ['type', 'payment', 'hash', 'gas', 'fee', 'what moved'],
        rows,
        right: [3, 4],
        note: `Local chain ${home.chainId}. Decent redeems arrive on chain ${demo.far.chainId}, relayed by the local service.`,
      })
  },
}

async function balancesOf({ home, sandbox }: DemoSandbox, wallet: `0x${string}`) {
  const [credits, usdc] = await Promise.all([
    home.client.readContract({
      address: home.creditsContract,
      abi: creditsAbi,
      functionName: 'creditsOf',
      args: [sandbox.creditSeed, wallet],
    }),
    home.client.readContract({
      address: home.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [wallet],
    }),
  ])
  return { credits, usdc }
}

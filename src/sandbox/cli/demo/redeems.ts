import type { Hex } from 'viem'
import { readCredits, readUsdcBalance } from '../../contracts/creditsReads.ts'
import { check, type DemoPart } from './demoPart.ts'
import type { DemoSandbox } from './demoSandbox.ts'
import { dollars, printTable, short } from './report.ts'
import { payments, redeemShape, shapes } from './shapes.ts'

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

async function balancesOf({ home, sandbox: { creditSeed } }: DemoSandbox, wallet: Hex) {
  return {
    credits: await readCredits(home, { creditSeed, wallet }),
    usdc: await readUsdcBalance(home, { wallet }),
  }
}

import { erc20Abi } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { type Act, told } from '../act.ts'
import { redeemShape } from '../redeemShape.ts'
import { dollars, printTable, short } from '../report.ts'
import { payments, shapes } from '../shapes.ts'
import type { Stage } from '../stage.ts'

/** The six shapes, each paid in three ways. */
export const redeems: Act = {
  title: 'Redeem the six shapes, each paid with credits, with USDC V1 beside, with USDC V2 beside',
  play: async (stage, progress) => {
    const { home } = stage
    const { alice } = stage.sandbox.people
    const rows: string[][] = []
    for (const shape of shapes) {
      for (const [index, payment] of payments.entries()) {
        progress(`${shape.name}, ${payment.name}`)
        const before = await booksOf(stage, alice.address)
        const { outcome, gasUsed } = await redeemShape(stage, { shape, payment, turn: index + 1 })
        const after = await booksOf(stage, alice.address)
        told(
          before.credits - after.credits === outcome.charged - outcome.refunded,
          'credits moved as the event says',
        )
        told(before.usdc - after.usdc === outcome.usdcAmount, 'USDC moved as the event says')
        rows.push([
          shape.name,
          payment.name,
          short(outcome.hash),
          gasUsed.toLocaleString('en-US'),
          dollars(outcome.gasFee),
          `${dollars(outcome.charged)} credits${outcome.usdcAmount > 0n ? ` + ${dollars(outcome.usdcAmount)} USDC` : ''} → ${await shape.received(stage, index + 1)}`,
        ])
      }
    }
    return () =>
      printTable('Redeems: 10.00 USD each, signed by alice, who holds no gas', {
        head: ['shape', 'payment', 'hash', 'gas', 'fee', 'what moved'],
        rows,
        right: [3, 4],
        note: `Chain ${home.chainId} on this machine; decent arrives on chain ${stage.far.chainId}. Bridge messages are carried by the local service.`,
      })
  },
}

async function booksOf({ home, sandbox }: Stage, wallet: `0x${string}`) {
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

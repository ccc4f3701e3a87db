import { erc20Abi } from 'viem'
import { type DemoSandbox, merchant, startDemoSandbox } from '../../../src/cli/demo/demoSandbox.ts'
import { redeemShape } from '../../../src/cli/demo/redeemShape.ts'
import { payments, shapes } from '../../../src/cli/demo/shapes.ts'
import type { Figure, Row } from '../figure.ts'

/** Each turn is a whole redeem; the last one meets storage that is no longer empty, as with a known customer. */
const turns = 2

export const gas: Figure = {
  name: 'gas',
  about: 'gas of each shape and payment against a bare USDC transfer',
  measure: async (progress) => {
    const stage = await startDemoSandbox(progress)
    try {
      const transfer = await bareTransfer(stage)
      const rows: Row[] = [
        {
          figure: 'gas: bare USDC transfer to a known receiver',
          value: transfer,
          goal: null,
          better: 'lower',
          unit: 'gas',
        },
      ]
      for (const shape of shapes) {
        let turn = 0
        for (const payment of payments) {
          let used = 0n
          for (let round = 0; round < turns; round++) {
            progress(`${shape.name}, ${payment.name}`)
            turn++
            const { gasUsed } = await redeemShape(stage, { shape, payment, turn })
            await shape.received(stage, turn)
            used = gasUsed
          }
          rows.push({
            figure: `gas: ${shape.name}, ${payment.name}`,
            value: Math.round((Number(used) / transfer) * 100) / 100,
            goal: shape.name === 'token' && payment.name === 'credits' ? 1.25 : null,
            better: 'lower',
            unit: '×',
          })
        }
      }
      return rows
    } finally {
      await stage.stop()
    }
  },
}

async function bareTransfer({ sandbox, home }: DemoSandbox): Promise<number> {
  await sandbox.mintUsdc({ wallet: merchant.account.address, cents: 10_000 })
  const hash = await home.sendAnyway({
    address: home.usdc,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [sandbox.people.carol.address, 10_000_000n],
  })
  const { gasUsed, status } = await home.client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error('The bare USDC transfer reverted.')
  return Number(gasUsed)
}

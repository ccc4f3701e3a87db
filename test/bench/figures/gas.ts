import { http, parseSignature, toHex } from 'viem'
import { mockUsdcAbi } from '../../../contracts/generated/MockUsdc.ts'
import { signUsdcAuthorization } from '../../../src/redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import { anvilRpc } from '../../../src/sandbox/chains/anvil/anvilRpc.ts'
import { startAnvil } from '../../../src/sandbox/chains/anvil/startAnvil.ts'
import { waitForReceipt } from '../../../src/sandbox/chains/waitForReceipt.ts'
import { type DemoSandbox, merchant, startDemoSandbox } from '../../../src/sandbox/cli/demo/demoSandbox.ts'
import { payments, redeemShape, shapes } from '../../../src/sandbox/cli/demo/redeems.ts'
import { placeUsdc } from '../../fork/startFork.ts'
import type { Figure, Row } from '../figure.ts'

/** The last redeem writes to storage that is no longer empty, as for a known customer. */
const turns = 2

export const gas: Figure = {
  name: 'gas',
  about:
    "gas of each transaction type and payment method on the issuer's own USDC, compared with a bare transferWithAuthorization",
  measure: async (progress) => {
    const origin = await startAnvil({ chainId: 84532 })
    await placeUsdc(anvilRpc(http(origin.url)), { chainId: 84532 })
    const stage = await startDemoSandbox(progress, { forkUrl: { base: origin.url } })
    try {
      const transfer = await bareAuthorization(stage)
      const rows: Row[] = [
        {
          figure: 'gas: bare transferWithAuthorization to a known receiver',
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
            goal: shape.name === 'token' && payment.name === 'credits' ? 1.18 : null,
            better: 'lower',
            unit: '×',
          })
        }
      }
      return rows
    } finally {
      await stage.stop()
      await origin.stop()
    }
  },
}

/** Like the redeems, runs twice: the second run pays a known receiver. */
async function bareAuthorization({ sandbox, home }: DemoSandbox): Promise<number> {
  const { carol } = sandbox.accounts
  let used = 0n
  for (let round = 0; round < turns; round++) {
    const nonce = toHex(round + 1, { size: 32 })
    const authorization = {
      from: carol.address,
      to: merchant.account.address,
      value: 1_000_000n,
      validAfter: 0n,
      validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
      nonce,
    }
    const signed = await signUsdcAuthorization(carol.account, {
      chainId: home.chainId,
      type: 'TransferWithAuthorization',
      authorization,
    })
    const { r, s, yParity } = parseSignature(signed)
    const { from, to, value, validAfter, validBefore } = authorization
    const hash = await home.sendAnyway({
      address: home.usdc,
      abi: mockUsdcAbi,
      functionName: 'transferWithAuthorization',
      args: [from, to, value, validAfter, validBefore, nonce, yParity + 27, r, s],
    })
    const { gasUsed, status } = await waitForReceipt(home.client, hash)
    if (status !== 'success') throw new Error('The bare transferWithAuthorization reverted.')
    used = gasUsed
  }
  return Number(used)
}

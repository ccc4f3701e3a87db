import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil } from '@redeemkit/sandbox'
import { custom } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  normalMerchantAbi as abi,
  normalMerchantBytecode as bytecode,
} from '../../contracts/generated/merchants.ts'
import { usdcToken } from '../../src/redeemkit/evm/index.ts'
import { anvilRpc } from '../../src/sandbox/chains/anvil/anvilRpc.ts'
import { prepareUsdc } from '../../src/sandbox/chains/anvil/prepareUsdc.ts'
import { anvil } from '../../test/service/sandboxClient.ts'
import { checkDeployedShop } from './checkDeployedShop.ts'

const chainId = 84_532
let folder: string
/** A local chain in place of the real chain. */
let origin: Awaited<ReturnType<typeof startAnvil>>
let shop: `0x${string}`
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'redeemkit-fork-'))
  origin = await startAnvil({ chainId })
  const transport = custom(origin, { retryCount: 0 })
  await prepareUsdc(anvilRpc(transport), { chainId })
  const args = [usdcToken({ chainId }).address]
  shop = await anvil(origin.url).deploy(abi, bytecode, args)
})
afterAll(async () => {
  await origin?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('checks a deployed shop on a copy of the chain, and again without the endpoint', async () => {
  const record = join(folder, 'base.fork.json')
  const first = await checkDeployedShop({ shop, forkUrl: origin.url, record })
  expect(first).toMatchObject({ verdict: 'ok', block: expect.any(Number) })
  expect(first.text).toContain('buy')
  await origin.stop()
  const again = await checkDeployedShop({ shop, record })
  expect({ ...again, text: hideTotalGas(again.text) }).toEqual({ ...first, text: hideTotalGas(first.text) })
})

/** Removes the varying values: the permit's expiry, and the gas of the transaction data, which depends on its zero bytes. */
function hideTotalGas(report: string): string {
  const [, total] = /([\d,]+) used,/.exec(report) ?? []
  if (total === undefined) throw new Error(`The report has no total gas:\n${report}`)
  return report.replaceAll(total, 'TOTAL'.padStart(total.length))
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { numberToHex } from 'viem'
import { buildPage, type RunningShop, startShop } from '../../../examples/dapp-redeem/server/startShop.ts'
import type { FaultBody } from '../../../src/sandbox/service/controls/sandboxControls.ts'
import { anvil } from '../../service/sandboxClient.ts'
import { emptyDatabase } from '../../setup/emptyDatabase.ts'
import { openChromium } from '../openChromium.ts'
import { passOn, type ServiceProxy, startServiceProxy } from '../serviceProxy.ts'
import { newVisitor, type Visitor, type VisitorOptions } from './newVisitor.ts'

export type OpenShop = {
  shop: RunningShop
  proxy: ServiceProxy
  browser: Browser
  newVisitor: (options?: VisitorOptions) => Promise<Visitor>
  raiseFee: () => Promise<void>
  fault: (fault: FaultBody) => Promise<void>
  mend: () => Promise<void>
  stop: () => Promise<void>
}

const offerFolder = fileURLToPath(new URL('./offer/', import.meta.url))
/** In wei. The fee of a redeem is then one or two cents. */
const usualBaseFee = 10_000_000n

/**
 * `states` also builds `/states.html`, which draws every state of a payment. `offers` also builds `offer.html`, and starts the other
 * chain.
 */
export async function openShop({
  states = false,
  offers = false,
}: {
  states?: boolean
  offers?: boolean
} = {}): Promise<OpenShop> {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.reverse()) await close()
  }
  try {
    const builtPage = await mkdtemp(join(tmpdir(), 'redeemkit-shop-'))
    closers.push(() => rm(builtPage, { recursive: true, force: true }))
    await buildPage(builtPage, { pages: ['index.html', ...(states ? ['states.html'] : [])] })
    if (offers) await buildPage(builtPage, { root: offerFolder, pages: ['offer.html'] })
    let serviceUrl = ''
    const proxy = await startServiceProxy(() => serviceUrl)
    closers.push(proxy.close)
    const shop = await startShop({
      builtPage,
      database: await emptyDatabase(),
      sandbox: { rateLimit: false, bridge: offers },
      changeConfig: (config) => {
        serviceUrl = config.baseUrl
        return { ...config, baseUrl: proxy.url }
      },
    })
    closers.push(shop.stop)
    const browser = await openChromium()
    closers.push(() => browser.close())
    const switchFaults = async (path: string, body: object) => {
      const answer = await fetch(`${serviceUrl}/sandbox/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`The service rejected the fault: ${await answer.text()}`)
    }
    return {
      shop,
      proxy,
      browser,
      newVisitor: (options) => newVisitor({ shop, browser }, options),
      raiseFee: () => setBaseFee(shop, 30n * usualBaseFee),
      fault: (body) => switchFaults('fault', body),
      mend: async () => {
        Object.assign(proxy, { onSubmit: passOn, submits: 0, isDown: false })
        await anvil(shop.config.rpcUrl).rpc('evm_setAutomine', [true])
        await setBaseFee(shop, usualBaseFee)
        await switchFaults('fault/clear', {})
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Empty blocks lower the base fee, so it is set again. */
async function setBaseFee({ config }: RunningShop, wei: bigint): Promise<void> {
  const { rpc } = anvil(config.rpcUrl)
  await rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(wei)])
  await rpc('evm_mine', [])
}

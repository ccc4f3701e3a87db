import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { buildPage, type RunningShop, startShop } from '../../../examples/dapp-redeem/server/startShop.ts'
import { extensionId } from '../../../examples/wallet-extension/buildExtension.ts'
import type { SandboxChain } from '../../../src/sandbox/index.ts'
import { emptyDatabase } from '../../setup/emptyDatabase.ts'
import { type OpenWallet, openWallet } from './openWallet.ts'

const offerFolder = fileURLToPath(new URL('../shop/offer/', import.meta.url))
const password = 'correct horse battery'

export type WalletAtShop = OpenWallet & {
  shop: RunningShop
  base: SandboxChain
  address: Address
  key: Hex
  openTab: (hash?: string) => Promise<Page>
}

/** `offers` also builds `offer.html`, and starts the other chain. */
export async function openWalletAtShop({ offers = false } = {}): Promise<WalletAtShop> {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.reverse()) await close()
  }
  try {
    const opening = openWallet()
    opening.then(
      ({ stop: close }) => closers.push(close),
      () => {}, // awaited below
    )
    const builtPage = await mkdtemp(join(tmpdir(), 'redeemkit-shop-'))
    closers.push(() => rm(builtPage, { recursive: true, force: true }))
    await buildPage(builtPage)
    if (offers) await buildPage(builtPage, { root: offerFolder, pages: ['offer.html'] })
    const shop = await startShop({
      builtPage,
      database: await emptyDatabase(),
      sandbox: { rateLimit: false, bridge: offers, allowedOrigins: [`chrome-extension://${extensionId}`] },
    })
    closers.push(shop.stop)
    const { base } = shop.sandbox.chains as Required<typeof shop.sandbox.chains> // the sandbox starts it by default
    const wallet = await opening
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    await shop.sandbox.mintCredits({ wallet: address, cents: 50_000 })
    await shop.sandbox.mintUsdc({ wallet: address, cents: 50_000 })
    await wallet.ask('createVault', { password, secret: { kind: 'key', key } })
    await wallet.ask('setNode', { chainId: base.chainId, rpcUrl: base.rpcUrl })
    await wallet.ask('savePin', {
      pin: {
        name: 'Lampfall',
        origins: [shop.url],
        chainId: base.chainId,
        creditsContract: base.creditsContract,
        creditSeed: shop.sandbox.creditSeed,
        merchantId: shop.sandbox.merchantId,
        serviceUrl: shop.sandbox.url,
        receivers: [shop.config.keeper],
        maxGasFeeCents: 100,
      },
    })
    return {
      ...wallet,
      shop,
      base,
      key,
      address,
      openTab: async (hash = '#/') => {
        const page = await wallet.context.newPage()
        await page.goto(`${shop.url}/${hash}`)
        return page
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

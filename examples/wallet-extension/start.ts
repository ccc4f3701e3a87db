import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findBrowser } from '../../test/browser/findBrowser.ts'
import { type RunningShop, startShop } from '../dapp-redeem/server/startShop.ts'
import { buildExtension, extensionFolder, extensionId } from './buildExtension.ts'

/** Starts the shop with its payments service. With a display, it also opens the shop in a Chromium that has the wallet. */
export async function start({
  say,
  port = 4246,
}: {
  say: (text: string) => void
  port?: number | undefined
}) {
  say('Building the wallet')
  await buildExtension()
  const { url, config, sandbox, stop } = await startShop({
    port,
    onProgress: say,
    sandbox: { allowedOrigins: [`chrome-extension://${extensionId}`] },
  })
  try {
    const browser = await openBrowser(url)
    return {
      url,
      howTo: `${
        browser === undefined
          ? `1. Load the wallet into your Chrome: chrome://extensions, "Developer mode", "Load unpacked",
   ${extensionFolder}`
          : '1. The wallet is in the Chromium that was opened.'
      }
2. In its settings, import this key, which is public and worthless elsewhere:
   ${sandbox.accounts.alice.privateKey}
3. In "Networks", save this node of Base Sepolia:
   ${config.rpcUrl}
4. In "Trusted shops", "Add shop", paste this line, and save it:
   ${JSON.stringify(pinOf({ url, config, serviceUrl: sandbox.url }))}
5. Buy something at ${url}, or pay this link in the popup:
   web+redeem:pay?merchant=${config.merchantId}&chain=${config.chainId}&to=${config.keeper}&cents=500&order=link-1`,
      close: async () => {
        await browser?.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Returns the pin with which the wallet judges a redeem at this shop as `ok`. */
function pinOf({
  url,
  config,
  serviceUrl,
}: {
  url: string
  config: RunningShop['config']
  serviceUrl: string
}) {
  const { chainId, merchantId, pinned, keeper, cabinet } = config
  return {
    name: 'Lampfall',
    origins: [url],
    chainId,
    creditsContract: pinned.creditsContract,
    creditSeed: pinned.creditSeed,
    merchantId,
    serviceUrl,
    receivers: [keeper, cabinet],
  }
}

/** Opens a window with a new profile. This requires Chromium, because Chrome loads no unpacked extension from the command line. */
async function openBrowser(url: string): Promise<{ close: () => Promise<void> } | undefined> {
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY)
  const browser = findBrowser()
  if (!hasDisplay || 'missing' in browser || !/chromium/i.test(browser.executablePath)) return undefined
  const profile = await mkdtemp(join(tmpdir(), 'redeemkit-wallet-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser.executablePath,
    headless: false,
    viewport: null,
    args: [`--disable-extensions-except=${extensionFolder}`, `--load-extension=${extensionFolder}`],
  })
  await (await context.newPage()).goto(url)
  return {
    close: async () => {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findBrowser } from '../../test/browser/findBrowser.ts'
import { startShop } from '../dapp-redeem/server/startShop.ts'
import { buildExtension, extensionFolder, extensionId } from './buildExtension.ts'

/** Starts the shop with its payments service, and opens it in a Chromium with the wallet where there is a display. */
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
          ? `Load the wallet into your Chrome: chrome://extensions, "Developer mode", "Load unpacked",
${extensionFolder}`
          : 'The wallet is in the Chromium that was opened.'
      }

In its settings, import this key, which is public and worthless elsewhere:
${sandbox.accounts.alice.privateKey}
Node of ${config.chainId}: ${config.rpcUrl}
The shop: ${url}, merchant ${config.merchantId}, credits contract ${config.pinned.creditsContract},
credit balance ${config.pinned.creditSeed}, service ${sandbox.url}, receivers ${config.keeper}, ${config.cabinet}
A payment link: web+redeem:pay?merchant=${config.merchantId}&chain=${config.chainId}&to=${config.keeper}&cents=500&order=link-1`,
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

/** Opens a window with a new profile. Chrome itself loads no unpacked extension from the command line. */
async function openBrowser(url: string): Promise<{ close: () => Promise<void> } | undefined> {
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY !== undefined
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

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { beforeAll, beforeEach } from 'vitest'
import { buildExtension, extensionId } from '../../../examples/wallet-extension/buildExtension.ts'
import type { RequestName, Requests } from '../../../examples/wallet-extension/src/messages.ts'
import { fromJson, toJson } from '../../../src/redeemkit/index.ts'
import { findBrowser } from '../findBrowser.ts'
import { chromiumFlags } from '../openChromium.ts'

export type OpenWallet = {
  context: BrowserContext
  ask: <name extends RequestName>(name: name, ask: Requests[name]['ask']) => Promise<Requests[name]['answer']>
  approval: () => Promise<Page>
  approvals: () => number
  /** Clicks once the approval window accepts clicks. */
  decide: (name: string) => Promise<void>
  /** Stops the worker, as Chrome does at any moment. */
  kill: () => Promise<void>
  /** Stops the worker after `act`, once it has written to its storage this many times. */
  killAfterWrites: (writes: number, act: () => Promise<unknown>) => Promise<void>
  /** An update reloads the extension. Chromium then blocks an extension that the command line loaded, so no request can reach it. */
  reload: () => Promise<void>
  stop: () => Promise<void>
}

/** Skips the tests with the reason where no browser loads extensions. */
export function beforeAllWithExtension(setUp: () => Promise<void>): void {
  const reason = whyNoExtension()
  if (reason !== undefined && process.env.REQUIRE_PROGRAMS === undefined)
    beforeEach((context) => context.skip(reason))
  else beforeAll(setUp)
}

/** Branded Chrome and the headless shell from npm load no extensions. */
function whyNoExtension(): string | undefined {
  const browser = findBrowser()
  if ('missing' in browser) return browser.missing
  return browser.env === undefined && /chromium/i.test(browser.executablePath)
    ? undefined
    : 'This browser loads no extension. Install Chromium (Debian: apt-get install chromium), or name one in CHROMIUM_PATH.'
}

export async function openWallet(): Promise<OpenWallet> {
  const browser = findBrowser()
  if ('missing' in browser) throw new Error(browser.missing)
  const folder = await mkdtemp(join(tmpdir(), 'redeemkit-wallet-'))
  const extension = join(folder, 'extension')
  await buildExtension(extension)
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: browser.executablePath,
    headless: true,
    ignoreDefaultArgs: ['--disable-back-forward-cache'], // so that pages are kept, as for users
    args: [...chromiumFlags, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
  })
  const isApproval = (page: Page) => page.url().endsWith('/approval.html')
  // The tests ask from the page that the extension opens when it is installed.
  const control = await settingsPage(context)
  const ask: OpenWallet['ask'] = async (name, content) => {
    const { text } = await control.evaluate((message) => chrome.runtime.sendMessage(message), {
      name,
      ask: toJson(content),
    })
    const { value, failure } = fromJson<{ value?: never; failure?: { code: string } }>(text)
    if (failure !== undefined) throw Object.assign(new Error(failure.code), failure)
    return value as never // the worker's response to this request
  }
  const approval = async () => {
    const open = context.pages().find((page) => isApproval(page) && !page.isClosed())
    const page = open ?? (await context.waitForEvent('page', { predicate: isApproval }))
    // Not `waitForLoadState`: Playwright can miss the event of a window that was already loading.
    await page.getByRole('button').first().waitFor()
    return page
  }
  const kill = async () => {
    const session = await context.newCDPSession(control)
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.stopAllWorkers')
    await session.detach()
  }
  return {
    context,
    ask,
    approval,
    approvals: () => context.pages().filter((page) => isApproval(page) && !page.isClosed()).length,
    decide: async (name) => {
      const page = await approval()
      await page.bringToFront()
      const { waiting } = await ask('state', {})
      // The window closes with its last request, and the next request opens another.
      const closed = waiting === 1 && page.waitForEvent('close')
      const clicked = page.getByRole('button', { name, exact: true, disabled: false }).click()
      // The window may close before Playwright has finished the click.
      const done = clicked.catch((error) => {
        if (!page.isClosed()) throw error
      })
      await Promise.all([done, closed])
    },
    kill,
    killAfterWrites: async (writes, act) => {
      await control.evaluate((count) => {
        Object.assign(window, {
          written: new Promise<void>((resolve) => {
            let left = count
            const settle = () => {
              if (left > 0) return
              chrome.storage.onChanged.removeListener(onWrite)
              resolve()
            }
            const onWrite = () => {
              left -= 1
              settle()
            }
            chrome.storage.onChanged.addListener(onWrite)
            settle()
          }),
        })
      }, writes)
      await act()
      await control.evaluate(() => Object(window).written)
      await kill()
    },
    reload: async () => {
      // The requesting page is closed with the extension.
      await control.evaluate(() => chrome.runtime.reload()).catch(() => {})
    },
    stop: async () => {
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Chromium opens the settings page in the empty tab or in another one. */
function settingsPage(context: BrowserContext): Promise<Page> {
  const reached = async (page: Page) => {
    await page.waitForURL(`chrome-extension://${extensionId}/settings.html`)
    return page
  }
  const inNewTab = new Promise<Page>((resolve) =>
    context.on('page', (page) => void reached(page).then(resolve, () => {})),
  )
  return Promise.any([...context.pages().map(reached), inNewTab])
}

/** Serves an empty site under two origins, `127.0.0.1` and `localhost`. The page `/sandboxed` has neither. */
export async function servePages(): Promise<{ url: string; otherUrl: string; close: () => Promise<void> }> {
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    if (url === '/sandboxed') response.setHeader('content-security-policy', 'sandbox allow-scripts')
    response.end('<!doctype html><title>A page</title><h1>A page</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // an object, because the server listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    otherUrl: `http://localhost:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

type PageResult = { result: unknown } | { error: { code: number; message: string } }

/** Uses the wallet that the page finds (EIP-6963). */
export function request(page: Page, method: string, params?: unknown): Promise<PageResult> {
  return page.evaluate(
    ([asked, given]) =>
      new Promise<PageResult>((resolve) => {
        const onWallet = (event: Event) => {
          const { info, provider } = (event as CustomEvent).detail
          if (info.name !== 'Pocket') return
          window.removeEventListener('eip6963:announceProvider', onWallet)
          provider.request({ method: asked, params: given }).then(
            (result: unknown) => resolve({ result }),
            ({ code, message }: { code: number; message: string }) => resolve({ error: { code, message } }),
          )
        }
        window.addEventListener('eip6963:announceProvider', onWallet)
        window.dispatchEvent(new Event('eip6963:requestProvider'))
      }),
    [method, params] as const,
  )
}

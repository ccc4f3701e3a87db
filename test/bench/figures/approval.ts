/// <reference types="chrome" />
import type { BrowserContext, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openWallet, request, servePages } from '../../browser/wallet/openWallet.ts'
import { type Figure, medianOf } from '../figure.ts'

const rounds = 11
const isApproval = (page: Page) => page.url().endsWith('/approval.html')

export const approval: Figure = {
  name: 'approval',
  about:
    "from a page's request to the drawn approval window of the wallet extension, in addition to an empty window, which every wallet opens",
  measure: async () => {
    const [wallet, site] = await Promise.all([openWallet(), servePages()])
    try {
      const key = generatePrivateKey()
      await wallet.ask('createVault', { password: 'correct horse battery', secret: { kind: 'key', key } })
      // tsx adds calls of a helper that names inner functions, and the page does not have that helper.
      await wallet.context.addInitScript('globalThis.__name = (named) => named')
      const page = await wallet.context.newPage()
      await page.goto(site.url)
      const connected = request(page, 'eth_requestAccounts')
      await wallet.decide('Connect')
      await connected
      const { address } = privateKeyToAccount(key)
      const drawn: number[] = []
      const empty: number[] = []
      for (let round = 0; round < rounds; round++) {
        const start = performance.now()
        const opened = wallet.context.waitForEvent('page', { predicate: isApproval })
        const asked = request(page, 'personal_sign', ['0x68656c6c6f', address])
        const window = await opened
        await window.getByRole('button', { name: 'Reject', exact: true }).waitFor()
        drawn.push(performance.now() - start)
        await wallet.decide('Reject')
        await asked
        empty.push(await openEmpty(wallet.context))
      }
      const { value, noise } = medianOf(drawn.map((ms, round) => ms - (empty[round] ?? Number.NaN)))
      return [
        {
          figure: 'approval window, above an empty window',
          value: Math.round(value),
          noise,
          goal: 150,
          better: 'lower',
          unit: 'ms',
        },
      ]
    } finally {
      await wallet.stop()
      await site.close()
    }
  },
}

async function openEmpty(context: BrowserContext): Promise<number> {
  const opener = context.pages().find((page) => page.url().endsWith('/settings.html'))
  if (opener === undefined) throw new Error('No page of the extension is open.')
  const start = performance.now()
  const opened = context.waitForEvent('page')
  await opener.evaluate(() =>
    chrome.windows.create({ url: 'about:blank', type: 'popup', width: 400, height: 680, focused: true }),
  )
  const window = await opened
  await window.waitForLoadState()
  const ms = performance.now() - start
  await window.close()
  return ms
}

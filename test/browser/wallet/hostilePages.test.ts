import type { Page } from 'playwright-core'
import { recoverMessageAddress, stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { extensionId } from '../../../examples/wallet-extension/buildExtension.ts'
import { beforeAllWithExtension, type OpenWallet, openWallet, request, servePages } from './openWallet.ts'

/** Pages that misuse the wallet, and a worker that is stopped at every step. Nothing is signed without the click. */

const password = 'correct horse battery'
const key = generatePrivateKey()
const { address } = privateKeyToAccount(key)
const hello = stringToHex('hello')

let wallet: OpenWallet
let site: Awaited<ReturnType<typeof servePages>>
let page: Page
beforeAllWithExtension(async () => {
  ;[wallet, site] = await Promise.all([openWallet(), servePages()])
  await wallet.ask('createVault', { password, secret: { kind: 'key', key } })
})
afterAll(async () => {
  await wallet?.stop()
  await site?.close()
})
beforeEach(async () => {
  await isWaiting(0)
  page = await open(site.url)
})
afterEach(() => page.close())

async function open(url: string): Promise<Page> {
  const opened = await wallet.context.newPage()
  await opened.goto(url)
  return opened
}

/** Returns the number of wallets that a page finds. */
const walletsOf = (from: Pick<Page, 'evaluate'>) =>
  from.evaluate(() => {
    let count = 0
    window.addEventListener('eip6963:announceProvider', () => count++)
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    return count
  })

const isWaiting = (count: number) =>
  expect.poll(async () => (await wallet.ask('state', {})).waiting, { timeout: 15_000 }).toBe(count)
const signHello = (from = page) => request(from, 'personal_sign', [hello, address])

test('the worker is stopped at every step from the connection to the signature', async () => {
  await wallet.kill()
  const connected = request(page, 'eth_requestAccounts')
  await isWaiting(1)
  await wallet.kill()
  await wallet.decide('Connect')
  expect(await connected).toEqual({ result: [address] })
  await wallet.kill()
  expect(await request(page, 'eth_accounts')).toEqual({ result: [address] })
  const signed = signHello()
  await isWaiting(1)
  await wallet.kill()
  await wallet.decide('Sign')
  const { result } = Object(await signed)
  expect(await recoverMessageAddress({ message: 'hello', signature: result })).toBe(address)
})

test('another origin sees no account, and asks for no signature', async () => {
  const other = await open(site.otherUrl)
  expect(await request(other, 'eth_accounts')).toEqual({ result: [] })
  expect(await signHello(other)).toMatchObject({ error: { code: 4100 } })
  expect(wallet.approvals()).toBe(0)
  await other.close()
})

test('a sandboxed page finds no wallet, because its requests would have no origin', async () => {
  await page.goto(`${site.url}/sandboxed`)
  expect(await walletsOf(page)).toBe(0)
})

test('a frame has no wallet, and cannot act for the page around it', async () => {
  await page.evaluate((url) => {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
    return new Promise((resolve) => frame.addEventListener('load', resolve))
  }, site.otherUrl)
  const [, frame] = page.frames()
  if (frame === undefined) throw new Error('There is no frame.')
  expect(await walletsOf(frame)).toBe(0)
  await frame.evaluate(() =>
    window.parent.postMessage(
      { channel: 'redeemkit-wallet', to: 'wallet', id: 'x', text: '{"method":"eth_requestAccounts"}' },
      '*',
    ),
  )
  expect(await request(page, 'eth_chainId')).toMatchObject({ result: expect.any(String) })
  expect(wallet.approvals()).toBe(0)
})

test('a page that imitates the wallet’s messages gets no signature without the click', async () => {
  await page.evaluate(
    (params) => {
      const text = JSON.stringify({ method: 'personal_sign', params })
      window.postMessage({ channel: 'redeemkit-wallet', to: 'wallet', id: 'own', text }, '*')
      for (const confirm of ['own', '0'])
        window.postMessage({ channel: 'redeemkit-wallet', to: 'wallet', confirm }, '*')
      window.postMessage({ channel: 'redeemkit-wallet', to: 'wallet', name: 'approve', ask: '{}' }, '*')
    },
    [hello, address],
  )
  await isWaiting(1)
  expect(await wallet.ask('approvals', {})).toMatchObject([{ asker: { origin: site.url } }])
  await wallet.decide('Reject')
})

test('a page that announces a wallet under the same name gets no account, and the real one is unaffected', async () => {
  await page.evaluate(() => {
    const provider = { request: async () => ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] }
    const info = { uuid: crypto.randomUUID(), name: 'Pocket', rdns: 'dev.redeemkit.pocket', icon: 'data:,' }
    window.addEventListener('eip6963:requestProvider', () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } })),
    )
  })
  // The wallet announces itself before any script of the page runs.
  expect(await request(page, 'eth_accounts')).toEqual({ result: [address] })
  expect(wallet.approvals()).toBe(0)
})

test('no window of the wallet can be framed, so nothing can cover it', async () => {
  const seen = await page.evaluate(
    (id) =>
      Promise.all(
        ['approval', 'popup', 'settings'].map((name) => {
          const frame = document.createElement('iframe')
          frame.src = `chrome-extension://${id}/${name}.html`
          document.body.append(frame)
          return new Promise<boolean>((resolve) =>
            frame.addEventListener('load', () => {
              // The error page of a blocked frame has an origin that the page may not read.
              resolve(frame.contentDocument !== null)
            }),
          )
        }),
      ),
    extensionId,
  )
  expect(seen).toEqual([false, false, false])
  const urls = page.frames().map((frame) => frame.url())
  expect(urls.filter((url) => url.startsWith('chrome-extension:'))).toEqual([])
  expect(wallet.approvals()).toBe(0)
})

test('a click in the first half second, as a page that covers the window would steal it, signs nothing', async () => {
  const signed = signHello()
  const window = await wallet.approval()
  await window.evaluate(async () => {
    const button = () =>
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Sign')
    while (button() === undefined) await new Promise(requestAnimationFrame)
    for (let frame = 0; frame < 5; frame++) {
      button()?.click()
      await new Promise(requestAnimationFrame)
    }
  })
  expect(await wallet.ask('approvals', {})).toHaveLength(1)
  await wallet.decide('Reject')
  expect(await signed).toMatchObject({ error: { code: 4001 } })
})

test('the page’s own world has no access to the extension', async () => {
  const seen = await page.evaluate(async (id) => {
    const { runtime } = Object(Object(globalThis).chrome)
    const fetched = await fetch(`chrome-extension://${id}/approval.html`).then(
      () => 'read',
      () => 'refused',
    )
    return { runtime: typeof runtime?.sendMessage, fetched }
  }, extensionId)
  expect(seen).toEqual({ runtime: 'undefined', fetched: 'refused' })
})

test('a flood of 500 requests opens one window, with ten requests', async () => {
  const flood = page.evaluate(
    ([data, account]) => {
      const codes: Promise<number>[] = []
      window.addEventListener('eip6963:announceProvider', (event) => {
        const { info, provider } = (event as CustomEvent).detail // EIP-6963
        if (info.name !== 'Pocket') return
        for (let at = 0; at < 500; at++)
          codes.push(
            provider.request({ method: 'personal_sign', params: [data, account] }).then(
              () => 0,
              ({ code }: { code: number }) => code,
            ),
          )
      })
      window.dispatchEvent(new Event('eip6963:requestProvider'))
      return Promise.all(codes)
    },
    [hello, address],
  )
  await isWaiting(10)
  await wallet.approval()
  expect(wallet.approvals()).toBe(1)
  for (const { id } of await wallet.ask('approvals', {})) await wallet.ask('reject', { id })
  const codes = await flood
  expect(codes.filter((code) => code === 4001)).toHaveLength(10)
  expect(codes.filter((code) => code === -32005)).toHaveLength(490)
})

test('a page that navigates away with the window open closes its request, and the window', async () => {
  const signed = signHello().catch(() => 'left')
  const window = await wallet.approval()
  const closed = window.waitForEvent('close')
  await page.goto(`${site.url}/other`)
  await closed
  expect(await signed).toBe('left')
  await isWaiting(0)
})

test('a page that is left and shown again learns what changed, and does not hold up the wallet meanwhile', async () => {
  const other = await open(site.otherUrl)
  const connect = async () => {
    const connected = request(other, 'eth_requestAccounts')
    await wallet.decide('Connect')
    await connected
  }
  await connect()
  await other.evaluate(() => {
    const heard: unknown[] = []
    const onWallet = (event: Event) => {
      const { provider } = (event as CustomEvent).detail // EIP-6963
      for (const name of ['accountsChanged', 'chainChanged'])
        provider.on(name, (value: unknown) => heard.push([name, value]))
    }
    window.addEventListener('eip6963:announceProvider', onWallet, { once: true })
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    Object.assign(window, { heard })
  })
  const asked = request(other, 'personal_sign', [hello, address]).catch(() => 'left')
  await isWaiting(1)
  await wallet.kill()
  await other.goto(`${site.otherUrl}/next`)
  expect(await asked).toBe('left')
  await isWaiting(0)
  await wallet.ask('setSiteAccounts', { origin: site.otherUrl, accounts: [] })
  await other.goBack({ waitUntil: 'commit' }) // a page that is shown again loads nothing
  const heard = () => other.evaluate(() => Object(window).heard)
  await expect.poll(heard).toEqual([['accountsChanged', []]])
  await request(other, 'eth_chainId') // the chain was read before
  expect(await heard()).toHaveLength(1)
  await connect()
  await wallet.ask('setSiteAccounts', { origin: site.otherUrl, accounts: [] })
  await other.close()
})

test('while locked, a request shows one window with the password, and is signed only after its own click', async () => {
  await wallet.ask('lock', {})
  const signed = signHello()
  const window = await wallet.approval()
  await window.getByLabel('Password', { exact: true }).fill(password)
  await window.getByRole('button', { name: 'Unlock' }).click()
  await window.getByRole('button', { name: 'Reject', exact: true }).waitFor()
  expect(await wallet.ask('approvals', {})).toHaveLength(1)
  await wallet.decide('Sign')
  expect(await signed).toMatchObject({ result: expect.stringMatching(/^0x/) })
})

test('two pages at the same time: each gets its own response', async () => {
  const other = await open(site.url)
  const [first, second] = [signHello(), request(other, 'personal_sign', [stringToHex('other'), address])]
  await isWaiting(2)
  const approvals = await wallet.ask('approvals', {})
  const ofOther = approvals.find((one) => one.kind === 'sign' && one.raw.includes(stringToHex('other')))
  await wallet.ask('reject', { id: ofOther?.id ?? '' })
  expect(await second).toMatchObject({ error: { code: 4001 } })
  await wallet.decide('Sign')
  const { result } = Object(await first)
  expect(await recoverMessageAddress({ message: 'hello', signature: result })).toBe(address)
  await other.close()
})

test('the page of the approval window, opened in a tab, closes no other tab', async () => {
  const tab = await open(`chrome-extension://${extensionId}/approval.html`)
  await tab.waitForTimeout(500)
  expect(page.isClosed()).toBe(false)
  await tab.close()
})

test('closing the window rejects its request', async () => {
  const signed = signHello()
  await (await wallet.approval()).close()
  expect(await signed).toMatchObject({ error: { code: 4001 } })
})

test('the extension is updated in the middle: the page gets 4900, and nothing was signed', async () => {
  const signed = signHello()
  await isWaiting(1)
  await wallet.reload()
  expect(await signed).toMatchObject({ error: { code: 4900 } })
  expect(await request(page, 'eth_accounts')).toMatchObject({ error: { code: 4900 } })
})

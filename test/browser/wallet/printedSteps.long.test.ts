import type { Page } from 'playwright-core'
import { afterAll, expect, test, vi } from 'vitest'
import { extensionId } from '../../../examples/wallet-extension/buildExtension.ts'
import { start } from '../../../examples/wallet-extension/start.ts'
import { bill, click, connectPocket, seesReceipt } from '../shop/shopPage.ts'
import { beforeAllWithExtension, type OpenWallet, openWallet } from './openWallet.ts'

/** The steps that `npm run example -- wallet-extension` prints, done in the wallet's windows. */

let example: Awaited<ReturnType<typeof start>>
let wallet: OpenWallet
beforeAllWithExtension(async () => {
  // Without a display, the example opens no browser of its own.
  vi.stubEnv('DISPLAY', undefined)
  example = await start({ say: () => {}, port: 0 })
  wallet = await openWallet()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await wallet?.stop()
  await example?.close()
})

/** Returns the line that the example prints after the step with this number. */
function printed(step: number): string {
  const line = new RegExp(`^${step}\\..*\\n +(.+)$`, 'm').exec(example.howTo)?.[1]
  if (line === undefined) throw new Error(`Step ${step} prints nothing to copy:\n${example.howTo}`)
  return line
}

const openExtension = async (file: string): Promise<Page> => {
  const page = await wallet.context.newPage()
  await page.goto(`chrome-extension://${extensionId}/${file}`)
  return page
}

test('the key is imported, the node saved, and the shop pasted', async () => {
  const page = await openExtension('settings.html')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.getByRole('radio', { name: 'Private key' }).check()
  await page.locator('input[type=password]').first().fill(printed(2))
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByLabel('Repeat the password').fill('correct horse battery')
  await button('Import').click()

  await button('Networks').click()
  await page.getByLabel('Base Sepolia (84532)').fill(printed(3))
  await button('Save the node for Base Sepolia').click()
  await expect
    .poll(async () => (await wallet.ask('state', {})).networks.find(({ name }) => name === 'Base Sepolia'))
    .toMatchObject({ rpcUrl: printed(3) })

  await button('Trusted shops').click()
  await button('Add shop').click()
  await page.getByLabel('Paste a shop').fill(printed(4))
  await button('Save').click()
  await page.getByText('Lampfall').waitFor()
})

test('the shop is paid, and the window shows that everything is proven', async () => {
  const page = await wallet.context.newPage()
  await page.goto(`${example.url}/${bill.hash}`)
  const connected = connectPocket(page)
  await wallet.decide('Connect')
  await connected
  await click(page, bill.pay)
  await wallet.approval()
  expect(await wallet.ask('approvals', {})).toMatchObject([
    { pinNames: ['Lampfall'], inspection: { kind: 'creditPermit', verdict: 'ok', findings: [] } },
  ])
  await wallet.decide('Sign')
  await seesReceipt(page)
})

test('the printed link is paid in the popup', async () => {
  const page = await openExtension('popup.html')
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByLabel('Payment link').fill(printed(5))
  await page.getByRole('button', { name: 'Show payment' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await wallet.approval()
  expect(await wallet.ask('approvals', {})).toMatchObject([{ inspection: { verdict: 'ok' } }])
  await wallet.decide('Pay')
  await expect
    .poll(
      async () => {
        await wallet.ask('refreshRedeems', {})
        return (await wallet.ask('redeems', {}))[0]
      },
      { timeout: 30_000 },
    )
    .toMatchObject({ outcome: 'redeemed' })
})

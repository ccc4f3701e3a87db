import type { Page } from 'playwright-core'
import { type Hex, hexToNumber, recoverMessageAddress, stringToHex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { startAnvil } from '../../../src/sandbox/index.ts'
import { beforeAllWithExtension, type OpenWallet, openWallet, request, servePages } from './openWallet.ts'

/** The worker is stopped after the click, at each of its writes: the page gets one response, and nothing is sent twice. */

const key = generatePrivateKey()
const { address } = privateKeyToAccount(key)
const restarted = 'Pocket was restarted before it finished. Try again. Nothing will be signed twice.'

let wallet: OpenWallet
let node: Awaited<ReturnType<typeof startAnvil>>
let site: Awaited<ReturnType<typeof servePages>>
let page: Page
beforeAllWithExtension(async () => {
  ;[wallet, node, site] = await Promise.all([openWallet(), startAnvil({ chainId: 1 }), servePages()])
  await node.request({ method: 'anvil_setBalance', params: [address, toHex(10n ** 20n)] })
  await wallet.ask('createVault', { password: 'correct horse battery', secret: { kind: 'key', key } })
  await wallet.ask('setNode', { chainId: 1, rpcUrl: node.url })
  page = await wallet.context.newPage()
  await page.goto(site.url)
  const connected = request(page, 'eth_requestAccounts')
  await wallet.decide('Connect')
  await connected
})
afterAll(async () => {
  await wallet?.stop()
  await Promise.all([node?.stop(), site?.close()])
})

/** Approves with one click, after which the worker is stopped. A request that is still open asks for another one. */
async function approveAndStop(button: string, writes: number): Promise<void> {
  const window = await wallet.approval()
  const approve = window.getByRole('button', { name: button, exact: true, disabled: false })
  const closed = window.waitForEvent('close')
  await wallet.killAfterWrites(writes, () => approve.click())
  await Promise.race([
    closed,
    window
      .getByText(restarted)
      .waitFor()
      .then(
        () => approve.click(),
        () => {},
      ),
  ])
  await closed
}

const sentCount = async () =>
  hexToNumber((await node.request({ method: 'eth_getTransactionCount', params: [address, 'latest'] })) as Hex)

test.each([0, 1, 2])('a signature, stopped after %i writes', async (writes) => {
  const asked = request(page, 'personal_sign', [stringToHex('hello'), address])
  await approveAndStop('Sign', writes)
  const { result } = Object(await asked)
  expect(await recoverMessageAddress({ message: 'hello', signature: result })).toBe(address)
  expect(await wallet.ask('approvals', {})).toEqual([])
})

test.each([0, 1, 2, 3])('a transaction, stopped after %i writes', async (writes) => {
  const before = await sentCount()
  const asked = request(page, 'eth_sendTransaction', [{ from: address, to: address, value: '0x1' }])
  await approveAndStop('Sign and send', writes)
  const { result } = Object(await asked)
  const receipt = await node.request({ method: 'eth_getTransactionReceipt', params: [result] })
  expect(receipt).toMatchObject({ status: '0x1' })
  expect(await sentCount()).toBe(before + 1)
  expect(await wallet.ask('approvals', {})).toEqual([])
})

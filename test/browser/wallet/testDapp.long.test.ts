import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { startAnvil } from '../../../src/sandbox/index.ts'
import { beforeAllWithExtension, type OpenWallet, openWallet } from './openWallet.ts'

/** Clicks the buttons of `@metamask/test-dapp`: none of its hostile requests is `ok`, and no honest one is refused. */

// Anvil's first account: public, and worth nothing.
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const { address } = privateKeyToAccount(key)

let wallet: OpenWallet
let node: Awaited<ReturnType<typeof startAnvil>>
let page: Page
beforeAllWithExtension(async () => {
  // The page's hostile requests name contracts of Ethereum.
  ;[wallet, node] = await Promise.all([openWallet(), startAnvil({ chainId: 1 })])
  await node.request({ method: 'anvil_setBalance', params: [address, toHex(10n ** 20n)] })
  await wallet.ask('createVault', { password: 'correct horse battery', secret: { kind: 'key', key } })
  await wallet.ask('setNode', { chainId: 1, rpcUrl: node.url })
  page = await openTestDapp(wallet)
  await click('connectButton')
  await wallet.decide('Connect')
  await page.locator('#connectButton', { hasText: 'Connected' }).waitFor()
})
afterAll(async () => {
  await wallet?.stop()
  await node?.stop()
})

// Windows that a failed test left open.
afterEach(async () => {
  for (const { id } of (await wallet?.ask('approvals', {})) ?? []) await wallet.ask('reject', { id })
})

/** Clicks a button without scrolling, because the page is long and has no style sheets. */
const click = (id: string) => page.locator(`#${id}`).dispatchEvent('click')

const soon = <value>(read: () => value | Promise<value>) => expect.poll(read, { timeout: 15_000 })

const forgetAnswers = () => page.evaluate(() => Object(window).answered.splice(0))
const answers = (method: RegExp): Promise<Answered[]> =>
  page
    .evaluate((): Answered[] => Object(window).answered)
    .then((all) => all.filter((one) => method.test(one.method)))

/** Clicks a button of the page, and reads what the approval window shows. */
async function ask(id: string) {
  await forgetAnswers()
  await soon(() => page.locator(`#${id}`).isEnabled()).toBe(true)
  await click(id)
  const approval = await arrived()
  const window = await wallet.approval()
  await window.getByRole('button', { name: 'Reject', exact: true }).waitFor()
  const title = await window.getByRole('heading', { level: 1 }).textContent()
  const canSign = (await window.getByRole('button', { name: /^Sign/ }).count()) === 1
  return { title, verdict: approval.inspection.verdict, canSign }
}

async function arrived() {
  await soon(async () => (await wallet.ask('approvals', {}))[0]).toSatisfy(
    (one) => one?.kind === 'sign' && one.transaction?.state !== 'preparing',
  )
  const [approval] = await wallet.ask('approvals', {})
  if (approval?.kind !== 'sign') throw new Error('There is nothing to sign.')
  return approval
}

async function rejects(id: string) {
  const shown = await ask(id)
  await wallet.decide('Reject')
  await soon(() => answers(/sign|send/i)).toMatchObject([{ code: 4001 }])
  return shown
}

const caution = { verdict: 'caution', canSign: true }
const refuse = { verdict: 'refuse', canSign: false }

describe('hostile requests, and unlimited approvals to an unknown spender', () => {
  test.each([
    ['maliciousApprovalButton', refuse, 'spend all of your USDC'],
    ['maliciousSetApprovalForAll', refuse, 'take all of your NFTs'],
    ['maliciousRawEthButton', caution, 'Sends 0.00001 ETH to 0x5FbD'],
    ['maliciousERC20TransferButton', caution, 'Sends 0.0001 USDC to 0x5FbD'],
    ['maliciousContractInteractionButton', caution, 'unknown function'],
    ['maliciousPermit', caution, 'spend up to 1,033,366.316628 USDC'],
    ['maliciousTradeOrder', caution, 'ERC721Order'],
    ['maliciousSeaport', caution, 'in exchange for 0 ETH'],
    ['maliciousPermitHexPaddedChain', refuse, 'network cannot be shown'],
    ['siweBadDomain', refuse, 'metamask.badactor.io'],
    ['siweBadAccount', refuse, '0x0000000000000000000000000000000000000000'],
    ['siweMalformed', refuse, 'not well-formed'],
    ['signPermitSingle', refuse, 'spend all of your USDC'],
    ['signSeaportBulkOrder', refuse, 'EIP712Domain'],
  ])('%s', async (id, judged, part) => {
    expect(await rejects(id)).toEqual({ ...judged, title: expect.stringContaining(part) })
  })
})

describe('requests that are not valid, or that the wallet does not have: no window opens', () => {
  test.each([
    ['maliciousSendWithOddHexData', -32602],
    ['maliciousApproveERC20WithOddHexData', -32602],
    ['maliciousSendWithoutHexPrefixValue', -32602],
    ['maliciousPermitIntAddress', -32602],
    ['signInvalidType', -32602],
    ['signEmptyDomain', -32602],
    ['signInvalidPrimaryType', -32602],
    ['signNoPrimaryTypeDefined', -32602],
    ['signInvalidVerifyingContractType', -32602],
    ['sendWithInvalidValue', -32602],
    ['sendWithInvalidTxType', -32602],
    ['sendWithInvalidRecipient', -32602],
    ['sendTempoBatchTx', -32602],
    ['ethSign', 4200],
    ['signTypedData', 4200],
    ['signTypedDataV3', 4200],
    ['getEncryptionKeyButton', 4200],
    ['eip747WatchButton', 4200],
    // It asks for atomic batches (EIP-5792).
    ['eip5792SendCallsButton', 5760],
    ['eip5792SendCallsApprovalButton', 5760],
    ['ppomSendMaliciousERC20ApprovalButton', 5760],
    ['ppomSendThreeMaliciousTxsButton', 5760],
    ['eip5792SendCallsRequiredAssetsButton', 5700],
    ['eip5792GetCallsStatusButton', 5730],
  ])('%s is %i', async (id, code) => {
    await forgetAnswers()
    await click(id)
    await soon(() => answers(/sign|send|watch|encrypt|status/i)).toMatchObject([{ code }])
    expect(wallet.approvals()).toBe(0)
  })
})

describe('honest requests', () => {
  test.each([
    ['personalSign', 'Example `personal_sign` message'],
    ['siwe', 'Signs in to "metamask.github.io"'],
    ['siweResources', 'Signs in to "metamask.github.io"'],
    ['signTypedDataV4', '"Mail" for "Ether Mail"'],
    ['signPermit', 'spend up to 3000 raw units'],
    ['signBlurOrder', '"Order" for "Blur Exchange"'],
    ['signExtraDataNotTyped', '"Wallet" for "Seaport"'],
    ['sendButton', 'Sends 0 ETH to 0x0c54'],
    ['sendHeavyHexDataButton', 'unknown function'],
    ['swapComparisonSwapButton', 'Sends 0.0003 ETH to 0x66a9'],
  ])('%s', async (id, part) => {
    expect(await rejects(id)).toEqual({ ...caution, title: expect.stringContaining(part) })
  })

  test.each([
    ['createToken', 'Creates a new contract'],
    ['transferTokens', 'Sends 15000 raw units of the token'],
    ['approveTokens', 'spend up to 70000 raw units of the token'],
    ['increaseTokenAllowance', 'spend 10000 raw units of the token'],
    ['deployNFTsButton', 'Creates a new contract'],
    ['mintButton', 'unknown function'],
    ['sendEIP1559Button', 'Sends 0 ETH'],
  ])('%s is sent', async (id, part) => {
    expect(await ask(id)).toEqual({ ...caution, title: expect.stringContaining(part) })
    await wallet.decide('Sign and send')
    await soon(() => answers(/sendTransaction/)).toEqual([{ method: 'eth_sendTransaction' }])
  })

  test('the page verifies what was signed, with a library of its own', async () => {
    for (const id of ['signTypedDataV4', 'signPermit']) {
      await ask(id)
      await wallet.decide('Sign')
      await soon(() => page.locator(`#${id}Verify`).isEnabled()).toBe(true)
      await click(`${id}Verify`)
      await soon(() => page.locator(`#${id}VerifyResult`).textContent()).toBe(address.toLowerCase())
    }
  })
})

const site = 'https://metamask.github.io'
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
const folder = dirname(createRequire(import.meta.url).resolve('@metamask/test-dapp/dist/index.html'))

/** The page's completed requests: the method, and the error's code if there is one. */
type Answered = { method: string; code?: number }

/** Runs in the page: it enables its buttons for MetaMask only, and keeps no error's code. */
function asMetaMask(): void {
  const answered: Answered[] = []
  Object.assign(window, { answered })
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { provider } = (event as CustomEvent).detail // EIP-6963
    if (provider.isMetaMask === true) return
    const { request } = provider
    provider.isMetaMask = true
    provider.request = async (asked: { method: string }) => {
      const { method } = asked
      try {
        const result = await request(asked)
        answered.push({ method })
        return result
      } catch (error) {
        answered.push({ method, code: Object(error).code })
        throw error
      }
    }
  })
}

/**
 * Opens `@metamask/test-dapp`, a page of requests that wallets are tested with, honest and hostile. Its files come from npm, and
 * requests to other hosts are blocked.
 */
async function openTestDapp({ context }: OpenWallet): Promise<Page> {
  const page = await context.newPage()
  await page.route('**/*', async (route) => {
    const { origin, pathname } = new URL(route.request().url())
    if (origin !== site) return route.abort()
    const file = pathname.replace('/test-dapp/', '') || 'index.html'
    await route.fulfill({
      body: await readFile(join(folder, file)),
      contentType: types[extname(file)] ?? 'application/octet-stream',
    })
  })
  await page.addInitScript(asMetaMask)
  await page.goto(`${site}/test-dapp/`)
  await page.locator('#activeProviderName', { hasText: 'Pocket' }).waitFor()
  return page
}

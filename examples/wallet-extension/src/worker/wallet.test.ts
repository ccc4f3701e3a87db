import {
  encodeFunctionData,
  erc20Abi,
  hashMessage,
  keccak256,
  recoverMessageAddress,
  stringToHex,
  zeroAddress,
} from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Pin, SignApproval } from '../messages.ts'
import {
  type FakePage,
  fakeBrowser,
  fakeNode,
  password,
  testAccount,
  testKey,
  testPhrase,
} from './wallet.fixture.ts'

let browser: ReturnType<typeof fakeBrowser>
let page: FakePage
let kept: Awaited<ReturnType<typeof browser.kept>>
beforeAll(async () => {
  const first = fakeBrowser()
  await first.ask('createVault', { password, secret: { kind: 'phrase', phrase: testPhrase } })
  kept = await first.kept()
})
beforeEach(() => {
  browser = fakeBrowser({ kept })
  page = browser.openPage()
})

/** Resolves with the oldest request once it has arrived. */
async function waiting() {
  await expect.poll(async () => (await browser.ask('state', {})).waiting).toBeGreaterThan(0)
  const [first] = await browser.ask('approvals', {})
  if (first === undefined) throw new Error('Nothing waits.')
  return first
}

async function connect(accounts = [testAccount] as const) {
  const asked = page.request('eth_requestAccounts')
  await browser.ask('approve', { id: (await waiting()).id, digests: [], accounts })
  return asked
}

const hello = stringToHex('hello')
const signHello = () => page.request('personal_sign', [hello, testAccount])
const helloDigest = hashMessage('hello')

async function approve({ digests = [helloDigest] }: { digests?: `0x${string}`[] } = {}) {
  return browser.ask('approve', { id: (await waiting()).id, digests })
}

/** A site requests a transaction from a wallet with a node; the wallet prepares it. */
async function askForTransaction({
  chainId = 8453,
  ...fields
}: {
  chainId?: number
  [field: string]: unknown
} = {}) {
  const node = fakeNode(chainId)
  browser = fakeBrowser({ kept, fetch: node.fetch })
  page = browser.openPage()
  await browser.ask('setNode', { chainId, rpcUrl: 'http://localhost:8545' })
  await connect()
  const asked = page.request('eth_sendTransaction', [
    { from: testAccount, to: testAccount, value: '0x1', ...fields },
  ])
  await expect.poll(async () => Object(await waiting()).transaction?.state).toBe('ready')
  const { id, digests } = (await waiting()) as SignApproval // a transaction
  return { node, asked, id, digests }
}

const failure = (code: string) => expect.objectContaining({ code })

describe('connecting', () => {
  test('a site sees no account before the click, and then only the selected ones', async () => {
    await browser.ask('addAccount', {})
    expect(await page.request('eth_accounts')).toEqual([])
    expect(await connect()).toEqual([testAccount])
    expect(await page.request('eth_accounts')).toEqual([testAccount])
    expect(await browser.openPage('https://other.example').request('eth_accounts')).toEqual([])
  })

  test('a rejection returns 4001, and a second simultaneous request of the site returns -32002', async () => {
    const first = page.request('eth_requestAccounts')
    const { id } = await waiting()
    await expect(page.request('wallet_requestPermissions', [{ eth_accounts: {} }])).rejects.toMatchObject({
      code: -32002,
    })
    await browser.ask('reject', { id })
    await expect(first).rejects.toMatchObject({ code: 4001 })
  })

  test('closing the window rejects all waiting requests', async () => {
    const asked = page.request('eth_requestAccounts')
    await waiting()
    await Promise.all([expect(asked).rejects.toMatchObject({ code: 4001 }), browser.closeWindowByUser()])
    expect(browser.waiting).toBe(0)
  })

  test('a request that arrives while an answered window opens is shown', async () => {
    let open = () => {}
    browser.beforeOpened = () => new Promise((resolve) => (open = resolve))
    const first = page.request('eth_requestAccounts').catch(() => {})
    const { id } = await waiting()
    await browser.ask('reject', { id })
    await first
    const second = page.request('eth_requestAccounts')
    await waiting()
    browser.windows.clear() // the first window closed itself
    open()
    browser.beforeOpened = async () => {}
    await expect.poll(() => browser.windows.size).toBe(1)
    await Promise.all([expect(second).rejects.toMatchObject({ code: 4001 }), browser.closeWindowByUser()])
  })

  test('an empty window stays open if a request has arrived for it', async () => {
    const asked = page.request('eth_requestAccounts')
    await waiting()
    await browser.ask('closeEmpty', { windowId: 1 })
    expect(browser.windows.size).toBe(1)
    await browser.ask('closeEmpty', { windowId: 7 })
    await Promise.all([expect(asked).rejects.toMatchObject({ code: 4001 }), browser.closeWindowByUser()])
  })

  test('a disconnected site is notified, and no longer has an account', async () => {
    await connect()
    await browser.ask('setSiteAccounts', { origin: 'https://shop.example', accounts: [] })
    expect(browser.events.at(-1)?.message).toEqual({ event: 'accountsChanged', value: [] })
    await expect(signHello()).rejects.toMatchObject({ code: 4100 })
  })

  test('every page of a site is notified of its accounts and chain, exactly when they change', async () => {
    const { fetch } = fakeNode(1)
    browser = fakeBrowser({ kept, fetch })
    page = browser.openPage()
    const other = browser.openPage()
    await other.request('eth_accounts')
    const heard = () =>
      browser.events.splice(0).map(({ documentId, message }) => [documentId, message.event, message.value])
    const both = (event: string, value: unknown) =>
      [other, page].map(({ document }) => [document.documentId, event, value])
    const sorted = (events: unknown[][]) => events.sort((one, two) => (`${one}` < `${two}` ? -1 : 1))
    await connect()
    expect(sorted(heard())).toEqual(sorted(both('accountsChanged', [testAccount])))
    const newest = browser.openPage()
    await newest.request('wallet_switchEthereumChain', [{ chainId: '0xa4b1' }])
    await newest.request('wallet_switchEthereumChain', [{ chainId: '0xa4b1' }])
    expect(heard()).toHaveLength(3)
    await page.request('wallet_revokePermissions', [{ eth_accounts: {} }])
    await page.request('wallet_revokePermissions', [{ eth_accounts: {} }])
    expect(heard().filter(([id]) => id === page.document.documentId)).toEqual([
      [page.document.documentId, 'accountsChanged', []],
      [page.document.documentId, 'chainChanged', '0x2105'],
    ])
    await browser.ask('setNode', { chainId: 1, rpcUrl: 'http://localhost:8545' })
    await browser.ask('setNode', { chainId: 1, rpcUrl: 'http://localhost:8545' })
    expect(heard().map(([, event, value]) => [event, value])).toEqual(Array(3).fill(['chainChanged', '0x1']))
    await browser.ask('eraseVault', {})
    expect(heard().map(([, event, value]) => [event, value])).toEqual(
      Array(3).fill(['chainChanged', '0x2105']),
    )
    await browser.ask('createVault', { password, secret: { kind: 'key', key: testKey } })
    await browser.ask('setNode', { chainId: 1, rpcUrl: 'http://localhost:8545' })
    expect(heard()).toHaveLength(3)
  })

  test('while a node is checked, pages can open and other nodes can be added', async () => {
    const nodes: Record<string, ReturnType<typeof fakeNode>> = { 8545: fakeNode(1), 8546: fakeNode(8453) }
    let respond: (() => void) | undefined
    const fetch = async (url: unknown, options?: RequestInit) => {
      const { port } = new URL(String(url))
      if (port === '8545')
        await new Promise<void>((resolve) => {
          respond = resolve
        })
      return nodes[port]?.fetch(String(url), options) ?? Response.error()
    }
    browser = fakeBrowser({ kept, fetch })
    const slow = browser.ask('setNode', { chainId: 1, rpcUrl: 'http://localhost:8545' })
    await expect.poll(() => respond).toBeDefined()
    page = browser.openPage()
    expect(await page.request('eth_chainId')).toBe('0x2105')
    await browser.ask('setNode', { chainId: 8453, rpcUrl: 'http://localhost:8546' })
    respond?.()
    await slow
    expect(browser.events.map(({ message }) => message)).toEqual([{ event: 'chainChanged', value: '0x1' }])
    const { networks } = await browser.ask('state', {})
    expect(networks.flatMap(({ chainId, rpcUrl }) => (rpcUrl === undefined ? [] : chainId)).sort()).toEqual([
      1, 8453,
    ])
  })

  test('an account of another wallet cannot be approved', async () => {
    void page.request('eth_requestAccounts').catch(() => {})
    const { id } = await waiting()
    const accounts = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] as const
    await expect(browser.ask('approve', { id, digests: [], accounts })).rejects.toEqual(
      failure('invalidRequest'),
    )
  })
})

describe('signing', () => {
  beforeEach(() => connect())

  test('requires the click, and the digest that was shown', async () => {
    const asked = signHello()
    const approval = await waiting()
    expect(approval).toMatchObject({
      kind: 'sign',
      digests: [helloDigest],
      asker: { origin: 'https://shop.example' },
    })
    await expect(approve({ digests: [hashMessage('other')] })).rejects.toEqual(failure('changed'))
    await expect(approve({ digests: [] })).rejects.toEqual(failure('changed'))
    await approve()
    const signature = (await asked) as `0x${string}` // a personal_sign
    expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(testAccount)
  })

  test('typed data with addresses in upper case, which pages may write, has the same signature', async () => {
    const signed = async (to: string, note: string) => {
      const data = {
        domain: { name: 'Mail', chainId: 8453, verifyingContract: to },
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'chainId', type: 'uint256' },
            { name: 'verifyingContract', type: 'address' },
          ],
          Mail: [
            { name: 'to', type: 'Person[]' },
            { name: 'note', type: 'string' },
          ],
          Person: [{ name: 'wallets', type: 'address[2]' }],
        },
        primaryType: 'Mail',
        message: { to: [{ wallets: [to, to] }], note },
      }
      const asked = page.request('eth_signTypedData_v4', [testAccount, JSON.stringify(data)])
      const { id, inspection, digests } = (await waiting()) as SignApproval // typed data
      expect(digests).toEqual([inspection.digests.eip712])
      await browser.ask('approve', { id, digests })
      return asked
    }
    const [checksummed, capitals] = [
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '0x70997970C51812DC3A010C7D01B50E0D17DC79C8',
    ] as const
    const expected = await signed(checksummed, capitals)
    expect(await signed(capitals, capitals)).toBe(expected)
    expect(await signed(capitals, checksummed)).not.toBe(expected)
  })

  test.each([
    ['of a different token than USDC', 'EURC', '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42', '4000000'],
    ['with numbers in hex', 'USD Coin', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', '0x3d0900'],
  ])('an authorization %s is signed', async (_, name, verifyingContract, value) => {
    const members = (text: string) =>
      text.split(',').map((one) => {
        const [type, name] = one.split(' ')
        return { type, name }
      })
    const data = {
      domain: { name, version: '2', chainId: '0x2105', verifyingContract },
      types: {
        EIP712Domain: members('string name,string version,uint256 chainId,address verifyingContract'),
        ReceiveWithAuthorization: members(
          'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
        ),
      },
      primaryType: 'ReceiveWithAuthorization',
      message: {
        from: testAccount,
        to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        value,
        validAfter: '0',
        validBefore: `${browser.nowMs / 1000 + 600}`,
        nonce: `0x${'da'.repeat(32)}`,
      },
    }
    const asked = page.request('eth_signTypedData_v4', [testAccount, JSON.stringify(data)])
    const { id, inspection, digests } = (await waiting()) as SignApproval // typed data
    expect(inspection.verdict).toBe('caution')
    await browser.ask('approve', { id, digests })
    expect(await asked).toMatch(/^0x/)
  })

  test('a refused request is not signed, regardless of what a window sends', async () => {
    void page.request('personal_sign', [`0x${'ab'.repeat(32)}`, testAccount]).catch(() => {})
    const { id, inspection, digests } = (await waiting()) as SignApproval // a personal_sign
    expect(inspection.verdict).toBe('refuse')
    await expect(browser.ask('approve', { id, digests })).rejects.toEqual(failure('refused'))
  })

  test('a second click signs nothing', async () => {
    const asked = signHello()
    const { id } = await waiting()
    const clicks = [1, 2].map(() => browser.ask('approve', { id, digests: [helloDigest] }))
    const results = await Promise.allSettled(clicks)
    expect(results).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: failure('busy') },
    ])
    await asked
  })

  test('a site that was disconnected in the meantime gets no signature', async () => {
    const asked = signHello()
    await waiting()
    await browser.ask('setSiteAccounts', { origin: 'https://shop.example', accounts: [] })
    await expect(approve()).rejects.toEqual(failure('refused'))
    void asked.catch(() => {})
  })

  test('a locked wallet shows its window, and signs after it is unlocked', async () => {
    await browser.ask('lock', {})
    const asked = signHello()
    await expect.poll(() => browser.waiting).toBe(1)
    await expect(browser.ask('approvals', {})).rejects.toEqual(failure('locked'))
    expect(browser.windows.size).toBe(1)
    await browser.ask('unlock', { password })
    await approve()
    expect(await asked).toMatch(/^0x/)
  })

  test('a site can have at most ten waiting requests, in one window', async () => {
    const asked = Array.from({ length: 40 }, () => signHello())
    const results = Promise.allSettled(asked)
    await expect.poll(() => browser.waiting).toBe(10)
    expect(browser.opened).toBeLessThanOrEqual(2)
    const { id, isInsistent } = await waiting()
    expect(isInsistent).toBe(true)
    await browser.ask('reject', { id, isForAllOfSite: true })
    const codes = (await results).map((one) => Object(one).reason?.code)
    expect(codes.filter((code) => code === 4001)).toHaveLength(10)
    expect(codes.filter((code) => code === -32005)).toHaveLength(30)
  })

  test('a site that asks again after a rejection can be rejected for a minute', async () => {
    const ask = async () => {
      const asked = signHello()
      const { id, isInsistent } = await waiting()
      const rejected = expect(asked).rejects.toMatchObject({ code: 4001 })
      const reject = (isForAllOfSite: boolean) =>
        Promise.all([rejected, browser.ask('reject', { id, isForAllOfSite })])
      return { isInsistent, reject }
    }
    const first = await ask()
    expect(first.isInsistent).toBe(false)
    await first.reject(false)
    const second = await ask()
    expect(second.isInsistent).toBe(true)
    await second.reject(true)
    browser.restart()
    browser.nowMs += 59_000
    await expect(signHello()).rejects.toMatchObject({ code: 4001 })
    const permission = page.request('wallet_requestPermissions', [{ eth_accounts: {} }])
    await expect(permission).rejects.toMatchObject({ code: 4001 })
    expect(browser.waiting).toBe(0)
    const other = browser.openPage('https://other.example')
    const connecting = expect(other.request('eth_requestAccounts')).rejects.toMatchObject({ code: 4001 })
    const { id } = await waiting()
    await browser.ask('reject', { id })
    await connecting
    browser.nowMs += 1_000
    await (await ask()).reject(true)
    browser.nowMs -= 86_400_000
    await browser.ask('unlock', { password })
    await (await ask()).reject(false)
  })

  test("leaving a page closes that page's requests and no others", async () => {
    const other = browser.openPage()
    void signHello().catch(() => {})
    await waiting()
    const theirs = other.request('personal_sign', [hello, testAccount])
    await expect.poll(() => browser.waiting).toBe(2)
    await browser.closePage(page)
    expect(browser.waiting).toBe(1)
    await approve()
    await theirs
  })
})

describe('a worker that is stopped', () => {
  beforeEach(() => connect())

  test('restores its state: unlocked, connected, with the request', async () => {
    const asked = signHello()
    await waiting()
    browser.restart()
    expect((await browser.ask('state', {})).vault).toBe('unlocked')
    expect(await page.request('eth_accounts')).toEqual([testAccount])
    expect(await browser.ask('approvals', {})).toHaveLength(1)
    await approve()
    expect(await asked).toMatch(/^0x/)
  })

  test('after the signature and before its delivery: the page receives the signature without a second click', async () => {
    const asked = signHello()
    await waiting()
    page.cut()
    await approve()
    browser.restart()
    expect(await asked).toMatch(/^0x/)
    await expect
      .poll(() => JSON.parse(browser.texts().find((text) => text.includes('requestId')) ?? '[]'))
      .toEqual([])
  })

  test.each([
    ['before the node has it', false],
    ['after the node has it', true],
  ])(
    'between the signature of a transaction and its answer, %s: the same bytes are sent, without a click',
    async (_, arrives) => {
      const { node, asked, id, digests } = await askForTransaction()
      node.hang(arrives)
      void browser.ask('approve', { id, digests })
      await expect.poll(() => node.sent).toHaveLength(1)
      browser.restart()
      expect(await asked).toBe(keccak256(node.sent[0] ?? '0x'))
      expect(new Set(node.sent).size).toBe(1)
      expect(browser.waiting).toBe(0)
    },
  )

  test('a transaction that was signed is not reported as rejected', async () => {
    const { node, asked, id, digests } = await askForTransaction()
    node.goDown()
    await expect(browser.ask('approve', { id, digests })).rejects.toEqual(failure('failed'))
    await Promise.all([
      expect(asked).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('signed') }),
      browser.ask('reject', { id }),
    ])
  })

  test('forgets the requests of a page that was closed in the meantime', async () => {
    void signHello().catch(() => {})
    await waiting()
    browser.closed.add(page.document.documentId)
    browser.restart()
    expect(await browser.ask('approvals', {})).toEqual([])
  })

  test('closes the requests of a page that does not respond, but keeps what was signed', async () => {
    const asked = signHello()
    await waiting()
    page.cut()
    await approve()
    const other = browser.openPage()
    void other.request('personal_sign', [hello, testAccount])
    await waiting()
    for (const { document } of [page, other]) browser.silent.add(document.documentId)
    browser.restart()
    expect(await browser.ask('approvals', {})).toEqual([])
    browser.silent.clear()
    browser.restart()
    expect(await asked).toMatch(/^0x/)
    await expect.poll(() => browser.waiting).toBe(1)
  })

  test('keeps the requests of a page that reconnects in time', async () => {
    const asked = signHello()
    await waiting()
    browser.restart()
    browser.silent.add(page.document.documentId)
    await approve()
    expect(await asked).toMatch(/^0x/)
  })

  test('a restart does not reset the idle time, after which the wallet locks', async () => {
    browser.nowMs += 16 * 60_000
    browser.restart()
    expect((await browser.ask('state', {})).vault).toBe('locked')
  })
})

describe('on Tempo', () => {
  const pathUsd = '0x20C0000000000000000000000000000000000000'
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [testAccount, 1_000_000n],
  })

  test('a transaction is described with the token that it moves', async () => {
    const { asked } = await askForTransaction({ chainId: 42431, to: pathUsd, data, value: undefined })
    const { inspection, id } = (await waiting()) as SignApproval // a transaction
    expect(inspection).toMatchObject({ kind: 'tempoTransaction', verdict: 'caution' })
    expect(inspection.summary).toContain('1.00 pathUSD')
    await Promise.all([expect(asked).rejects.toMatchObject({ code: 4001 }), browser.ask('reject', { id })])
  })

  test.each([
    { feeToken: pathUsd },
    { calls: [{ to: pathUsd, data }] },
    { type: '0x76' },
    { nonceKey: '0x1' },
  ])(
    'a transaction with %j is refused, because the wallet would sign it without that field',
    async (fields) => {
      const { asked, id } = await askForTransaction({ chainId: 42431, to: pathUsd, data, value: undefined })
      const more = page.request('eth_sendTransaction', [{ from: testAccount, to: pathUsd, data, ...fields }])
      await expect(more).rejects.toMatchObject({ code: -32602 })
      expect(browser.waiting).toBe(1)
      await Promise.all([expect(asked).rejects.toMatchObject({ code: 4001 }), browser.ask('reject', { id })])
    },
  )
})

describe('the vault', () => {
  test('locks after the configured minutes, and when the user is idle', async () => {
    await browser.ask('saveSettings', { lockAfterMinutes: 1 })
    browser.nowMs += 59_000
    await browser.alarm()
    expect((await browser.ask('state', {})).vault).toBe('unlocked')
    browser.nowMs += 60_001
    await browser.alarm()
    expect((await browser.ask('state', {})).vault).toBe('locked')
    await browser.ask('unlock', { password })
    await browser.idle()
    expect((await browser.ask('state', {})).vault).toBe('locked')
  })

  test('locks although an open window reads its state again and again', async () => {
    for (let minute = 0; minute < 16; minute++) {
      await browser.ask('state', {})
      browser.nowMs += 61_000
      await browser.alarm()
    }
    expect((await browser.ask('state', {})).vault).toBe('locked')
  })

  test('locks when the clock is set back', async () => {
    browser.nowMs -= 86_400_000
    await browser.alarm()
    expect((await browser.ask('state', {})).vault).toBe('locked')
  })

  test('rejects a wrong password, a short one, and an invalid phrase', async () => {
    await browser.ask('lock', {})
    await expect(browser.ask('unlock', { password: 'wrong' })).rejects.toEqual(failure('wrongPassword'))
    const empty = fakeBrowser()
    const secret = { kind: 'phrase', phrase: testPhrase } as const
    await expect(empty.ask('createVault', { password: '123456789', secret })).rejects.toEqual(
      failure('weakPassword'),
    )
    const phrase = testPhrase.replace('junk', 'test')
    await expect(empty.ask('createVault', { password, secret: { kind: 'phrase', phrase } })).rejects.toEqual(
      failure('invalidSecret'),
    )
    for (const key of ['0x12', `0x${'0'.repeat(64)}`, 'f'.repeat(64)])
      await expect(empty.ask('createVault', { password, secret: { kind: 'key', key } })).rejects.toEqual(
        failure('invalidSecret'),
      )
    expect((await empty.ask('state', {})).vault).toBe('none')
  })

  test.each([
    ['line breaks and capitals', testPhrase.toUpperCase().replaceAll(' ', '\r\n')],
    ['spaces of other scripts', testPhrase.replaceAll(' ', '\u3000\u00a0')],
    ['invisible characters', `\ufeff${testPhrase.replaceAll(' ', '\u200b ')}\u2060`],
    ['wide letters', testPhrase.replaceAll('test', 'ｔｅｓｔ')],
  ])('reads a phrase with %s', async (_, phrase) => {
    const asked = browser.ask('importSecret', { secret: { kind: 'phrase', phrase } })
    await expect(asked).rejects.toEqual(failure('knownAccount'))
  })

  test('derives and imports accounts, each once', async () => {
    expect(await browser.ask('addAccount', {})).toMatchObject({
      address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    })
    await expect(browser.ask('importSecret', { secret: { kind: 'key', key: testKey } })).rejects.toEqual(
      failure('knownAccount'),
    )
    // The key of the phrase's third account.
    const thirdKey = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'
    await browser.ask('importSecret', { secret: { kind: 'key', key: thirdKey } })
    expect(await browser.ask('addAccount', {})).toMatchObject({
      address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    })
    await browser.ask('lock', {})
    await browser.ask('unlock', { password })
    expect((await browser.ask('state', {})).accounts).toHaveLength(4)
  })

  test('neither storage nor answers contain the phrase, the key or the password', async () => {
    await connect()
    const texts = [
      ...browser.texts(),
      JSON.stringify(await browser.ask('state', {})),
      await browser.answerWindow({ name: 'unlock', ask: '{"password":"correct horse' }),
    ]
    for (const secret of ['junk', testKey.slice(2), password]) expect(texts.join()).not.toContain(secret)
  })
})

describe('the provider’s methods', () => {
  test.each([
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData',
    'eth_signTypedData_v3',
    'eth_decrypt',
    'wallet_watchAsset',
    'constructor',
    '__proto__',
    'toString',
    '',
  ])('%s returns 4200 immediately, without a window', async (method) => {
    for (const params of [[], {}])
      await expect(page.request(method, params)).rejects.toMatchObject({ code: 4200 })
    expect(browser.opened).toBe(0)
  })

  test.each<[string, unknown, number]>([
    ['personal_sign', [hello, testAccount], 4100],
    ['eth_call', [], 4100],
    ['wallet_getCapabilities', [testAccount], 4100],
    ['wallet_switchEthereumChain', [{ chainId: '0x2105' }], 4100],
    ['personal_sign', [1, testAccount], -32602],
    ['personal_sign', [hello, 'me'], -32602],
    ['eth_signTypedData_v4', [testAccount, '{'], -32602],
    ['eth_signTypedData_v4', [testAccount, '{}'], -32602],
    ['eth_sendTransaction', [{ from: testAccount, authorizationList: [] }], -32602],
    ['eth_accounts', {}, -32602],
    ['wallet_requestPermissions', [{}], -32602],
  ])('%s with %j from a site that is not connected returns %i', async (method, params, code) => {
    await expect(page.request(method, params)).rejects.toMatchObject({ code })
    expect(browser.opened).toBe(0)
  })

  test('a connected site switches to a known chain and is notified; an unknown chain returns 4902', async () => {
    await connect()
    expect(await page.request('wallet_switchEthereumChain', [{ chainId: '0xa4b1' }])).toBeNull()
    expect(await page.request('eth_chainId')).toBe('0xa4b1')
    expect(browser.events.at(-1)?.message).toEqual({ event: 'chainChanged', value: '0xa4b1' })
    for (const method of ['wallet_switchEthereumChain', 'wallet_addEthereumChain'])
      await expect(page.request(method, [{ chainId: '0x539' }])).rejects.toMatchObject({ code: 4902 })
    await expect(page.request('eth_blockNumber')).rejects.toMatchObject({ code: 4901 })
  })

  test('an error of the node keeps its code and its data, which pages need to decode a revert', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    const answer = (method: string) => (method === 'eth_call' ? { error } : { result: '0x2105', error: null })
    const fetch = async (_url: unknown, options?: RequestInit) =>
      Response.json(answer(JSON.parse(String(options?.body)).method))
    browser = fakeBrowser({ kept, fetch })
    page = browser.openPage()
    await browser.ask('setNode', { chainId: 8453, rpcUrl: 'http://localhost:8545' })
    await connect()
    await expect(page.request('eth_call', [{}])).rejects.toEqual(error)
  })

  test('announces on every chain that it accepts purchases', async () => {
    await connect()
    const answer = await page.request('wallet_getCapabilities', [testAccount, ['0x14a34']])
    expect(answer).toMatchObject({ '0x14a34': { redeemIntent: { supported: true, version: 1 } } })
    expect(Object.keys(Object(answer))).toHaveLength(1)
  })

  test.each(['', 'null', '[]', '{"method":1}', '{'])('%j is an invalid request', async (text) => {
    await expect(page.send(text)).rejects.toMatchObject({ code: -32600 })
  })

  test('a request above the limit is refused', async () => {
    await connect()
    await expect(
      page.request('personal_sign', [stringToHex('x'.repeat(200_000)), testAccount]),
    ).rejects.toMatchObject({
      code: -32602,
    })
  })
})

describe('a request that cannot be shown', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const typedData = (message: object, primaryType = 'Mail') =>
    JSON.stringify({
      types: { EIP712Domain: [], Mail: [{ name: 'to', type: 'address' }] },
      primaryType,
      domain: {},
      message,
    })

  test.each([
    ['an invalid address', typedData({ to: 'nobody' })],
    ['a field that is missing', typedData({})],
    ['a type that is not declared', typedData({ to: testAccount }, 'Other')],
  ])('typed data with %s returns -32602, and the window shows the other requests', async (_, data) => {
    await connect()
    const honest = signHello()
    await waiting()
    await expect(page.request('eth_signTypedData_v4', [testAccount, data])).rejects.toMatchObject({
      code: -32602,
    })
    await approve()
    expect(await honest).toMatch(/^0x/)
  })

  test('params that are nested too deeply return -32602, and requests of other sites still arrive', async () => {
    await connect()
    const text = `{"method":"personal_sign","params":["${hello}","${testAccount}",${nested(20_000)}]}`
    await expect(page.send(text)).rejects.toMatchObject({ code: -32602 })
    const honest = signHello()
    await approve()
    expect(await honest).toMatch(/^0x/)
  })

  test('a number that JSON rounds returns -32602', async () => {
    await connect()
    const data = JSON.parse(typedData({ to: testAccount }))
    const text = JSON.stringify({ ...data, domain: { chainId: 1 }, note: 2 ** 60 })
    await expect(page.request('eth_signTypedData_v4', [testAccount, JSON.parse(text)])).rejects.toMatchObject(
      { code: -32602 },
    )
  })
})

describe('damaged storage', () => {
  test.each([
    ['text that ends early', 'local', 'accounts', '[{"address":"0xf3'],
    ['a value that is not text', 'local', 'sites', { a: 1 }],
    ['an object in place of a list', 'local', 'pins', '{}'],
    ['no accounts', 'local', 'accounts', 'null'],
    ['no vault for the accounts', 'local', 'vault', 'null'],
    ['a vault that ends early', 'local', 'vault', JSON.stringify('{"data":"abc')],
    ['a vault of another type', 'local', 'vault', '5'],
    ['an object in place of the queue', 'session', 'queue', '{"a":1}'],
    ['a queue of `null`', 'session', 'queue', '[null]'],
    ['a time that is text', 'session', 'usedAt', '"now"'],
  ] as const)('with %s, every request fails, and nothing is written', async (_, area, key, value) => {
    const damaged = { ...kept, [area]: { ...kept[area], [key]: value } }
    browser = fakeBrowser({ kept: damaged })
    await expect(browser.ask('state', {})).rejects.toEqual(failure('failed'))
    const secret = { kind: 'phrase', phrase: testPhrase } as const
    await expect(browser.ask('createVault', { password, secret })).rejects.toEqual(failure('failed'))
    await expect(browser.openPage().request('eth_accounts')).rejects.toMatchObject({ code: -32603 })
    expect(await browser.kept()).toEqual(damaged)
  })
})

test('a name without an address is refused, because it breaks every inspection', async () => {
  for (const address of ['me', '0x12', `${testAccount}0`])
    await expect(browser.ask('saveName', { address: address as `0x${string}`, name: 'Me' })).rejects.toEqual(
      failure('invalidRequest'),
    )
  await browser.ask('saveName', { address: testAccount, name: 'Me' })
  expect(await browser.ask('names', {})).toEqual({ [testAccount.toLowerCase()]: 'Me' })
})

test('a long name is not cut within a character, because half a character breaks every inspection', async () => {
  await browser.ask('saveName', { address: testAccount, name: `${'a'.repeat(39)}😀` })
  await browser.ask('renameAccount', { address: testAccount, name: `${'a'.repeat(39)}😀😀` })
  await connect()
  const asked = signHello()
  await approve()
  expect(await asked).toMatch(/^0x/)
})

test.each([{ merchantId: 'shop\u200b1' }, { creditsContract: zeroAddress }, { receivers: [zeroAddress] }])(
  'a pin with %j is refused, because it breaks every inspection',
  async (fields) => {
    const pin: Omit<Pin, 'id'> = {
      name: 'Shop',
      origins: [],
      chainId: 8453,
      creditsContract: testAccount,
      creditSeed: 'shop',
      merchantId: 'shop',
      serviceUrl: undefined,
      receivers: [],
      maxGasFeeCents: 100,
    }
    await expect(browser.ask('savePin', { pin: { ...pin, ...fields } as Omit<Pin, 'id'> })).rejects.toEqual(
      expect.objectContaining({ code: 'invalidPin', field: Object.keys(fields)[0] }),
    )
    await browser.ask('savePin', { pin })
  },
)

test('two keys that are imported at the same time are both kept', async () => {
  const keys = ['11', '22'].map((byte) => `0x${byte.repeat(32)}`)
  await Promise.all(keys.map((key) => browser.ask('importSecret', { secret: { kind: 'key', key } })))
  const { accounts } = await browser.ask('state', {})
  expect(accounts).toHaveLength(3)
  await connect(accounts.map(({ address }) => address) as never)
  for (const { address } of accounts) {
    const signed = page.request('personal_sign', [hello, address])
    await approve()
    const signature = (await signed) as `0x${string}`
    expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(address)
  }
})

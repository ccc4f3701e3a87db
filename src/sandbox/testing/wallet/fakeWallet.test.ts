import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { type Hex, recoverMessageAddress, recoverTypedDataAddress, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test, vi } from 'vitest'
import { unwrapErc6492 } from '../../../redeemkit/evm/signature/normalizeSignature.ts'
import { fakeWallet } from './fakeWallet.ts'

const privateKey: Hex = `0x${'01'.repeat(32)}`
const { address } = privateKeyToAccount(privateKey)
const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const typedData = {
  domain: { name: 'Credits', version: '1', chainId: 84532, verifyingContract: contract },
  types: { Order: [{ name: 'id', type: 'uint256' }] },
  primaryType: 'Order',
  message: { id: '7' },
} as const
const typed = (account: string = address) => ({
  method: 'eth_signTypedData_v4',
  params: [account, JSON.stringify(typedData)],
})
const text = (account: string = address) => ({
  method: 'personal_sign',
  params: [stringToHex('hello 🛒'), account],
})
const fake = (more: Partial<Parameters<typeof fakeWallet>[0]> = {}) =>
  fakeWallet({ privateKey, ...more } as Parameters<typeof fakeWallet>[0])
const no = { code: 4001, message: 'User rejected the request.' }

describe('a fake wallet', () => {
  test('makes real signatures', async () => {
    const wallet = fake()
    const signature = (await wallet.request(typed())) as Hex
    expect(await recoverTypedDataAddress({ ...typedData, message: { id: 7n }, signature })).toBe(address)
    const signed = (await wallet.request(text())) as Hex
    expect(await recoverMessageAddress({ message: 'hello 🛒', signature: signed })).toBe(address)
  })
  test('returns the same signature for the same request', async () => {
    expect(await fake().request(typed())).toBe(await fake().request(typed()))
  })
  test('does not sign for other accounts', async () => {
    await expect(fake().request(typed(contract))).rejects.toMatchObject({ code: 4100 })
    await expect(fake().request(text(contract))).rejects.toMatchObject({ code: 4100 })
  })
  test('records its requests, and the prompts that it showed', async () => {
    const wallet = fake()
    await wallet.request({ method: 'eth_accounts' })
    await wallet.request(text())
    expect(wallet.asked.map(({ method }) => method)).toEqual(['eth_accounts', 'personal_sign'])
    expect(wallet.prompts).toEqual([text()])
  })
  test('immediately rejects an unknown method', async () => {
    await expect(fake().request({ method: 'eth_sign' })).rejects.toMatchObject({ code: 4200 })
    await expect(fake().request({ method: 'eth_getCode' })).rejects.toMatchObject({ code: 4200 })
  })
  test('forwards only chain reads to its node', async () => {
    const client = { request: vi.fn(async () => '0x60') }
    const wallet = fake({ client })
    expect(await wallet.request({ method: 'eth_getCode', params: [address, 'latest'] })).toBe('0x60')
    await expect(wallet.request({ method: 'eth_sendTransaction' })).rejects.toMatchObject({ code: 4200 })
    expect(client.request).toHaveBeenCalledTimes(1)
  })
  test('connects a page on request, and notifies its listeners', async () => {
    const wallet = fake({ connected: false })
    const accounts: unknown[] = []
    const listener = (value: unknown) => accounts.push(value)
    wallet.on('accountsChanged', listener)
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
    await expect(wallet.request(text())).rejects.toMatchObject({ code: 4100 })
    expect(await wallet.request({ method: 'eth_requestAccounts' })).toEqual([address])
    wallet.removeListener('accountsChanged', listener)
    await wallet.request({ method: 'eth_requestAccounts' })
    expect(accounts).toEqual([[address]])
    expect(wallet.prompts.map(({ method }) => method)).toEqual(['personal_sign', 'eth_requestAccounts'])
  })
  test('switches chains if requested', async () => {
    const wallet = fake({ chainId: 1 })
    const chains: unknown[] = []
    wallet.on('chainChanged', (chainId: Hex) => chains.push(chainId))
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2105' }] })
    expect([await wallet.request({ method: 'eth_chainId' }), ...chains]).toEqual(['0x2105', '0x2105'])
    expect(wallet.prompts).toHaveLength(1)
  })
  test('announces that it accepts a purchase; otherwise it rejects a third parameter', async () => {
    const request = { ...typed(), params: [...typed().params, { redeemIntent: { version: 1 } }] }
    const ask = (wallet: ReturnType<typeof fake>) =>
      wallet.request({ method: 'wallet_getCapabilities', params: [address, ['0x14a34']] })
    expect(await ask(fake())).toEqual({})
    await expect(fake().request(request)).rejects.toMatchObject({ code: -32602 })
    const wallet = fake({ takesIntent: true })
    expect(await ask(wallet)).toEqual({ '0x0': { redeemIntent: { supported: true, version: 1 } } })
    expect(await wallet.request(request)).toBe(await fake().request(typed()))
    expect(wallet.prompts).toEqual([request])
  })
  test('announces itself by EIP-6963', () => {
    const { info } = fake({ info: { name: 'My Wallet' } })
    expect(info).toMatchObject({ name: 'My Wallet', rdns: expect.stringMatching(/^[a-z.]+$/) })
    expect(info.uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(info.icon).toMatch(/^data:image\//)
  })
})

describe('a user', () => {
  test.each<['first' | 'second' | 'every' | number, boolean[]]>([
    ['first', [false, true, true]],
    ['second', [true, false, true]],
    [3, [true, true, false]],
    ['every', [false, false, false]],
  ])('who rejects %s', async (rejects, signed) => {
    const wallet = fake({ rejects })
    for (const one of signed) {
      const answer = wallet.request(typed())
      if (one) await expect(answer).resolves.toMatch(/^0x/)
      else await expect(answer).rejects.toMatchObject(no)
    }
    expect(wallet.prompts).toHaveLength(3)
  })
  test.each<[unknown]>([['User rejected the request'], [{ code: 5000 }], [{}]])(
    'rejects with the value %j, unchanged',
    async (refusal) => {
      await expect(fake({ rejects: 'every', refusal }).request(text())).rejects.toBe(refusal)
    },
  )
  test('answers after a delay', async () => {
    const started = performance.now()
    await fake({ answersAfterMs: 40 }).request(text())
    expect(performance.now() - started).toBeGreaterThan(35)
  })
  test('never responds', async () => {
    const wallet = fake({ neverAnswers: true })
    const patience = new Promise((resolve) => setTimeout(resolve, 40, 'nothing'))
    expect(await Promise.race([wallet.request(text()), patience])).toBe('nothing')
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([address])
  })
})

describe('a wallet', () => {
  test('signs with another key if wrongSignature is set', async () => {
    for (const key of [privateKey, `0x${'11'.repeat(32)}`] as const) {
      const own = privateKeyToAccount(key)
      const wallet = fakeWallet({ privateKey: key, wrongSignature: true })
      expect(wallet.address).toBe(own.address)
      const signature = (await wallet.request(text(own.address))) as Hex
      expect(await recoverMessageAddress({ message: 'hello 🛒', signature })).not.toBe(own.address)
    }
  })
  test('shows no accounts, and accepts no connection, while it is locked', async () => {
    const wallet = fake({ locked: true })
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([])
    await expect(wallet.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject(no)
    await expect(wallet.request(text())).rejects.toMatchObject({ code: 4100 })
  })
  test('exposes a contract account, and signs with its owner’s key', async () => {
    const wallet = fake({
      smartAccount: { kind: 'erc1271', address: contract, encode: (signature) => `${signature}ff` },
    })
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([contract])
    expect(await wallet.request(text(contract))).toBe(`${await fake().request(text())}ff`)
  })
  test('exposes the key’s own account if that is delegated', async () => {
    const wallet = fake({ smartAccount: { kind: 'eip7702' } })
    expect(wallet.address).toBe(address)
    expect(await wallet.request(text())).toBe(await fake().request(text()))
  })
  test.each<[string, '0x' | '0x60' | undefined]>([
    ['while there is no code', '0x'],
    ['without a node', undefined],
    ['only while there is no code', '0x60'],
  ])('wraps the signatures of an account that is not deployed, %s', async (_, code) => {
    const factory = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const wallet = fake({
      smartAccount: { kind: 'erc6492', address: contract, factory, factoryData: '0x1234' },
      client: code && { request: async () => code },
    })
    const inner = await fake().request(text())
    const signature = (await wallet.request(text(contract))) as Hex
    if (code === '0x60') expect(signature).toBe(inner)
    else expect(unwrapErc6492(signature)).toEqual({ factory, factoryData: '0x1234', signature: inner })
  })
})

describe('options', () => {
  // JavaScript callers can pass any value.
  const wrong = (options: object) => () => fakeWallet(options as never)
  test.each<[string, object, string]>([
    ['no key', {}, 'privateKey'],
    ['two keys', { privateKey, account: privateKeyToAccount(privateKey) }, 'privateKey'],
    ['a short key', { privateKey: '0x01' }, 'privateKey'],
    ['a misspelled option', { privateKey, reject: 'every' }, 'reject'],
    ['an unknown profile', { privateKey, profile: 'metamask' }, 'profile'],
    ['a chain id as text', { privateKey, chainId: '0x1' }, 'chainId'],
  ])('%s', (_, options, field) => {
    expect(wrong(options)).toThrow(expect.objectContaining({ name: 'InvalidOptionError', field }))
  })
  test('errors do not contain the key', () => {
    expect(wrong({ privateKey: `${privateKey}01` })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('0101') }),
    )
  })
})

test('pages can use it, because none of its imports needs Node', () => {
  const seen = new Set<string>()
  const foreign = new Set<string>()
  const walk = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles)
      if (fileName.startsWith('.')) walk(fileURLToPath(new URL(fileName, `file://${file}`)))
      else foreign.add(fileName)
  }
  walk(fileURLToPath(new URL('./fakeWallet.ts', import.meta.url)))
  expect(seen.size).toBeGreaterThan(5)
  expect([...foreign].filter((name) => !/^(?:viem|@solana\/web3\.js)(?:\/|$)/.test(name))).toEqual([])
})

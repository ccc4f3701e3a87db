import { privateKeyToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import { ChainReadError } from '../evm/client.ts'
import { signCreditPermit } from '../evm/creditPermit/signCreditPermit.ts'
import { bareChain } from '../evm/signer/bareChain.fixture.ts'
import { pinned, randomNonceService, request } from './randomNonce.fixture.ts'
import { pinned as bound, chainId, countingSigner, fakeService } from './redeem.fixture.ts'
import { redeem } from './redeem.ts'
import { waitForRedeem } from './waitForRedeem.ts'

/** Records prompts and key recoveries, in order. viem loads the curve for a recovery. */
const { done, missing } = vi.hoisted(() => ({ done: [] as string[], missing: { curve: false } }))
vi.mock('../evm/viem.ts', async (original) => {
  const viem = await original<typeof import('../evm/viem.ts')>()
  const recoverAddress: typeof viem.recoverAddress = (given) => {
    if (missing.curve) return Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
    done.push('curve')
    return viem.recoverAddress(given)
  }
  return { ...viem, recoverAddress }
})

vi.mock('./onDemand.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

test('a module that cannot be loaded causes the error of a chain that cannot be read', async () => {
  const offline = { request: async () => Promise.reject(new TypeError('Failed to fetch')) }
  const waiting = waitForRedeem(offline, {
    wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    nonce: `0x${'01'.repeat(32)}`,
    creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    hash: `0x${'02'.repeat(32)}`,
    intentBound: false,
    timeoutMs: 20,
    pollingIntervalMs: 1,
  })
  const error = await waiting.catch((error: unknown) => error)
  expect(error).toMatchObject({
    name: 'RedeemTimeoutError',
    cause: expect.any(ChainReadError),
    shortMessage: expect.stringContaining('has no outcome'),
  })
})

test('with random nonces, the wallet does not open until the code that looks up the payment is loaded', async () => {
  const signer = countingSigner()
  const { client } = randomNonceService()
  await expect(redeem(client, { ...request, chainId, pinned, signer })).rejects.toBeInstanceOf(ChainReadError)
  expect(signer.asked).toEqual([])
})

test('without a node, the curve that verifies signatures is loaded before the wallet opens', async () => {
  const sign = async () => {
    done.push('prompt')
    return `0x${'12'.repeat(300)}` as const
  }
  done.length = 0
  const { client } = fakeService()
  await redeem(client, { ...request, chainId, pinned: bound, signer: countingSigner({ answers: [sign] }) })
  expect(done).toEqual(['curve', 'prompt'])
})

test('with a node, the curve is not loaded after the signature, even if the signature has an EIP-155 v', async () => {
  const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
  const answers = { eth_accounts: [account.address], eth_chainId: '0x2105' }
  const request = async ({
    method,
    params,
  }: {
    method: 'eth_accounts' | 'eth_chainId'
    params?: unknown
  }) => {
    if (method in answers) return answers[method]
    const signature = await account.signTypedData(JSON.parse((params as string[])[1] ?? ''))
    return `${signature.slice(0, 130)}${(signature.endsWith('1b') ? 16941 : 16942).toString(16)}`
  }
  const permit = {
    customerWallet: account.address,
    creditSeed: 'shop',
    amount: 1n,
    validBefore: 1_800_000_600n,
    nonce: `0x${'02'.repeat(32)}`,
  } as const
  const domain = { name: 'Credits', version: '1', chainId: 8453, verifyingContract: account.address }
  const now = () => 1_800_000_000_000
  done.length = 0
  const signing = signCreditPermit({ request }, { domain, permit, now, client: bareChain })
  await expect(signing).resolves.toMatch(/^0x\w{128}1[bc]$/)
  expect(done).toEqual([])
})

test('without a node and without the curve, the wallet does not open', async () => {
  missing.curve = true
  const signer = countingSigner()
  const { client } = fakeService()
  const running = redeem(client, { ...request, chainId, pinned: bound, signer })
  await expect(running).rejects.toMatchObject({ name: 'ModuleLoadError' })
  expect(signer.asked).toEqual([])
})

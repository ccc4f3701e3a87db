import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, parseSignature } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signUsdcAuthorization } from '../../src/redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import type { CreditsAuthMsgBody } from '../../src/redeemkit/schema/index.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import {
  type RunningSandbox,
  type SandboxChain,
  startSandbox,
  type TestAccount,
  testCards,
} from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import {
  anvil,
  type Caller,
  caller,
  creditsAuthMsgPath,
  customer,
  overHttp,
  readCredits,
  readUsdc,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

let sandbox: RunningSandbox<'randomNonce'>
let base: SandboxChain<'randomNonce'>
let chain: ReturnType<typeof anvil>
let service: Caller
let alice: TestAccount
let coinCents = 300_000n

beforeAll(async () => {
  sandbox = await startSandbox({
    service: 'randomNonce',
    bridge: false,
    settings: withoutProtection,
    nativePriceCents: () => coinCents,
  })
  ;({ base } = sandbox.chains as Required<typeof sandbox.chains>) // the sandbox starts it by default
  ;({ alice } = sandbox.accounts)
  chain = anvil(base.rpcUrl)
  service = caller(overHttp(sandbox.url))
})
afterAll(() => sandbox?.stop())
beforeEach(() => {
  coinCents = 300_000n
})

const request = (changes: Partial<CreditsAuthMsgBody> = {}): CreditsAuthMsgBody => ({
  merchantId: sandbox.merchantId,
  subtotal: { cents: 100 },
  transactionData: { type: 'token', destination: sandbox.accounts.bob.address },
  ...changes,
})
const prepare = (changes: Partial<CreditsAuthMsgBody> = {}) =>
  service.post(creditsAuthMsgPath, request(changes), customer(alice.address))
const signed = (changes: Partial<CreditsAuthMsgBody> = {}, person = alice) =>
  signedBody(service, { request: request(changes), key: person.account })
const send = (body: unknown, wallet: Hex = alice.address) =>
  service.post(sendGaslessTxPath, body, customer(wallet))
const usdcOf = (wallet: Hex) => readUsdc(base, wallet)
const mined = async (answer: Awaited<ReturnType<typeof send>>) => {
  expect(answer).toMatchObject({ status: 200, body: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
  const receipt = await waitForReceipt(chain.client, answer.body.hash)
  expect(receipt.status).toBe('success')
  return receipt
}
const refused = (status: number, details: string | RegExp) => ({
  status,
  body: {
    message: 'Error Processing your request',
    details: typeof details === 'string' ? details : expect.stringMatching(details),
  },
})

test('the service’s pinned values declare random nonces', () => {
  expect(sandbox.service).toBe('randomNonce')
  expect(base.pinned).toEqual({
    creditsContract: base.creditsContract,
    domainName: 'Credits',
    creditSeed: sandbox.creditSeed,
    intentBound: false,
  })
})

test('a token redeem is mined under its hash, and moves USDC from the contract to the destination', async () => {
  const before = await usdcOf(sandbox.accounts.bob.address)
  const { logs } = await mined(await send(await signed()))
  expect(await usdcOf(sandbox.accounts.bob.address)).toBe(before + 1_000_000n)
  // Only the token differs.
  expect(logs.map(({ address }) => address)).toEqual([base.usdc.toLowerCase()])
})

test('the response contains neither a salt nor a USDC authorization', async () => {
  const { status, body } = await prepare({ usdcAmount: { cents: 40 }, salt: `0x${'ab'.repeat(32)}` })
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['creditsRawAmount', 'message', 'nonce', 'validBefore'])
})

test('nonces are random, including bit 255', async () => {
  const answers = await Promise.all(Array.from({ length: 32 }, () => prepare()))
  const nonces: string[] = answers.map(({ body }) => body.nonce)
  expect(new Set(nonces).size).toBe(nonces.length)
  const isSet = (nonce: string) => BigInt(nonce) >= 1n << 255n
  expect(nonces.some(isSet)).toBe(true)
  expect(nonces.every(isSet)).toBe(false)
})

test.each([
  ['ReceiveWithAuthorization', 'V1'],
  ['ReceiveWithAuthorization', 'V2'],
  ['TransferWithAuthorization', 'V1'],
  ['TransferWithAuthorization', 'V2'],
] as const)('USDC is paid by %s, %s, on the customer’s own terms', async (primaryType, version) => {
  const changes = { usdcAmount: { cents: 40 } }
  const body = await signed(changes)
  const { validBefore, nonce } = body
  const terms = {
    from: alice.address,
    to: base.creditsContract,
    value: '400000',
    validAfter: '0',
    validBefore,
    nonce,
  }
  const fields = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] as const
  const types = { from: 'address', to: 'address', nonce: 'bytes32' }
  const signature = await alice.account.signTypedData({
    domain: { name: 'USDC', version: '2', chainId: base.chainId, verifyingContract: base.usdc },
    types: {
      [primaryType]: fields.map((name) => ({ name, type: { ...types }[name as 'from'] ?? 'uint256' })),
    },
    primaryType,
    message: terms,
  } as never) // The field names are computed.
  const { r, s, v } = parseSignature(signature)
  const before = await usdcOf(alice.address)
  await mined(
    await send({
      ...body,
      signedMessages: {
        ...body.signedMessages,
        ...(version === 'V1'
          ? { customerUsdcAuthData: { ...terms, v: Number(v), r, s } }
          : { customerUsdcAuthDataV2: { ...terms, signature } }),
      },
    }),
  )
  expect(before - (await usdcOf(alice.address))).toBe(400_000n)
})

test('an unused nonce executes the first submitted call, so the relayer is trusted', async () => {
  const body = await signed()
  const transactionData = { type: 'token', destination: sandbox.accounts.carol.address }
  const before = await usdcOf(sandbox.accounts.carol.address)
  const spent = { ...body, subtotal: { cents: 99 }, transactionData }
  const sent = await send(spent)
  await mined(sent)
  expect(await usdcOf(sandbox.accounts.carol.address)).toBe(before + 990_000n)
  // The nonce now belongs to that redeem.
  expect((await send(spent)).body).toEqual(sent.body)
  expect(await send(body)).toMatchObject(refused(409, /a different redeem/))
})

describe('errors have their message in details', () => {
  test('after the fee has risen, a permit for a larger amount can pay the original subtotal', async () => {
    const body = await signed()
    coinCents = 300_000_000_000n
    const answer = await send(body)
    expect(answer).toEqual({
      ...refused(412, /^Total \d+\.\d+ exceeds max credits authorized 1\.\d+$/),
      headers: expect.anything(),
    })
    const more = await signed({ subtotal: { cents: 101 } })
    expect(more.nonce).not.toBe(body.nonce)
    await mined(await send({ ...more, subtotal: { cents: 100 } }))
  })

  test('reports an unknown nonce, an invalid body, an unknown path and a wrong method', async () => {
    const body = await signed()
    expect(await send({ ...body, nonce: `0x${'11'.repeat(32)}` })).toMatchObject(
      refused(412, /did not issue this nonce/),
    )
    expect(await send({ ...body, nonce: 'x' })).toMatchObject(refused(400, /nonce/))
    expect(await service.get('/api/nothing')).toMatchObject(refused(404, /path does not exist/))
    expect(await service.get(sendGaslessTxPath)).toMatchObject(refused(405, /accepts only POST/))
  })
})

test('a response without data has no body', async () => {
  const headers = customer(alice.address)
  const { body } = await service.get('/api/auth', headers)
  const signature = await alice.account.signMessage({ message: body.message })
  const verified = await service.get('/api/auth/verify', {
    ...headers,
    'x-svc-auth-signed-message': signature,
  })
  expect(verified).toMatchObject({ status: 200, body: undefined })
  const asked = await service.post(
    '/api/merchant/program',
    { blockchain: 'base', programId: base.usdc },
    { authorization: sandbox.apiKey },
  )
  expect(asked).toMatchObject({ status: 200, body: undefined })
})

describe('the USDC part of a checkout', () => {
  const types = ['ReceiveWithAuthorization', 'TransferWithAuthorization'] as const
  test.each(types)('has a random nonce, and may be a %s', async (type) => {
    const key = { authorization: sandbox.apiKey }
    const user = { 'x-svc-auth-user-id': 'alice', ...customer(alice.address) }
    const session = await service.get('/api/auth/session-key', { ...key, ...user })
    const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
    const { token } = (await service.post('/api/tokenize', card, key)).body
    const ask = { amount: { cents: 40 }, nonce: `0x${'8f'.repeat(32)}` }
    const path = '/api/checkout/evm/usdc-authorization'
    const { messageData } = (await service.post(path, ask, customer(alice.address))).body
    expect(messageData.nonce).not.toBe(ask.nonce)
    const authorization = {
      ...messageData,
      value: BigInt(messageData.value),
      validAfter: BigInt(messageData.validAfter),
      validBefore: BigInt(messageData.validBefore),
    }
    const signature = await signUsdcAuthorization(alice.account, {
      chainId: base.chainId,
      type,
      authorization,
    })
    const creditsOf = () => readCredits(base, sandbox.creditSeed, alice.address)
    const before = await creditsOf()
    const bought = await service.post(
      `/api/checkout/card/${sandbox.merchantId}`,
      {
        subtotal: { cents: 100 },
        settlementType: 'Credits',
        card: { cardToken: token },
        customerUsdcTransferDataV2: { ...messageData, signature },
      },
      { ...user, 'x-svc-auth-session-key': session.body.key },
    )
    expect(bought.status).toBe(200)
    await expect.poll(creditsOf, { timeout: 15_000 }).toBe(before + 1_000_000n)
  })
})

test('funds of pending redeems stay reserved until the redeems are mined', async () => {
  const { carol } = sandbox.accounts
  const credits = await readCredits(base, sandbox.creditSeed, carol.address)
  const most = Number(credits / 10_000n) - 100
  const bodies = [await signed({ subtotal: { cents: most } }, carol), await signed({}, carol)] as const
  await chain.rpc('evm_setAutomine', [false])
  try {
    const first = await send(bodies[0], carol.address)
    expect(first.status).toBe(200)
    expect(await send(bodies[1], carol.address)).toMatchObject(refused(412, /enough credits/))
    await chain.rpc('evm_mine', [])
    await mined(first)
  } finally {
    await chain.rpc('evm_setAutomine', [true])
  }
  await sandbox.mintCredits({ wallet: carol.address, cents: 100 })
  await mined(await send(bodies[1], carol.address))
})

test('one folder stores a service with random nonces next to an intent-bound one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'redeemkit-random-nonce-'))
  const creditsOf = async (kind: 'intentBound' | 'randomNonce') => {
    const kept = await startSandbox({ service: kind, dataDir, bridge: false })
    try {
      const caller_ = caller(kept.app)
      const { bob } = kept.accounts
      const body = await signedBody(caller_, {
        request: request({ merchantId: kept.merchantId }),
        key: bob.account,
      })
      const sent = await caller_.post(sendGaslessTxPath, body, customer(bob.address))
      expect(sent.status).toBe(200)
      const { base: own } = kept.chains as Required<typeof kept.chains> // the sandbox starts it by default
      const client = anvil(own.rpcUrl).client
      await waitForReceipt(client, sent.body.hash)
      const path = `/api/customer/balances/${kept.merchantId}`
      return (await caller_.get(path, customer(bob.address))).body.credits.cents as number
    } finally {
      await kept.stop()
    }
  }
  const bound = await creditsOf('intentBound')
  const randomNonce = await creditsOf('randomNonce')
  expect(await creditsOf('randomNonce')).toBeLessThan(randomNonce - 99)
  expect(await creditsOf('intentBound')).toBeLessThan(bound - 99)
  await rm(dataDir, { recursive: true })
}, 60_000)

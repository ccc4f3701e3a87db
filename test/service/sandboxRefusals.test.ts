import { encodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { normalMerchantAbi, normalMerchantBytecode } from '../../contracts/generated/merchants.ts'
import { orderKeyOf } from '../../src/redeemkit/evm/index.ts'
import type { CreditsAuthMsgBody, TransactionData } from '../../src/redeemkit/schema/index.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import {
  createSandbox,
  devAccount,
  type RunningSandbox,
  type Sandbox,
  type SandboxChain,
  startSandbox,
} from '../../src/sandbox/index.ts'
import {
  anvil,
  type Caller,
  caller,
  customer,
  lentChain,
  type Payment,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

/** Lends its chain to the service under test. The tests change the chain's gas price. */
let lender: RunningSandbox
let base: SandboxChain
let chain: ReturnType<typeof anvil>
let sandbox: Sandbox
let service: Caller
let coinCents = 300_000n
let merchant: Hex
let alice: Hex

beforeAll(async () => {
  lender = await startSandbox({ bridge: false })
  ;({ base } = lender.chains as Required<typeof lender.chains>) // the sandbox starts it by default
  chain = anvil(base.rpcUrl)
  alice = lender.accounts.alice.address
  sandbox = createSandbox({
    merchants: [
      { merchantId: lender.merchantId, apiKey: 'first key' },
      { merchantId: 'other-shop', apiKey: 'second key' },
    ],
    chains: [
      {
        ...lentChain(lender),
        whitelisterKey: devAccount('whitelister').privateKey,
        nativePriceCents: () => coinCents,
      },
    ],
  })
  service = caller(sandbox.app)
  merchant = await chain.deploy(normalMerchantAbi, normalMerchantBytecode, [base.usdc])
  await sandbox.whitelist({ target: merchant, selector: buySelector })
})
afterAll(async () => {
  await sandbox?.stop()
  await lender?.stop()
})
beforeEach(() => {
  coinCents = 300_000n
})

const buySelector = toFunctionSelector('buy(address,uint256)')
const buy = (price: bigint, to = merchant): TransactionData => ({
  transaction: {
    to,
    data: encodeFunctionData({ abi: normalMerchantAbi, functionName: 'buy', args: [alice, price] }),
  },
})
const toBob = (): TransactionData => ({ type: 'token', destination: lender.accounts.bob.address })
const request = (changes: Partial<CreditsAuthMsgBody> = {}): CreditsAuthMsgBody => ({
  merchantId: lender.merchantId,
  subtotal: { cents: 100 },
  transactionData: toBob(),
  ...changes,
})
const signed = (changes: Partial<CreditsAuthMsgBody> = {}, payment: Payment = 'credits') =>
  signedBody(service, {
    request: request(changes),
    wallet: alice,
    key: lender.accounts.alice.account,
    payment,
  })
const send = (body: unknown, wallet: string = alice) =>
  service.post(sendGaslessTxPath, body, customer(wallet))

/** Expects exactly the fields of the record, and the code. */
function refused(status: number, code: string, rest: object = {}) {
  return {
    status,
    body: {
      name: expect.stringMatching(/Error$/),
      message: expect.any(String),
      code,
      requestId: expect.any(String),
      ...rest,
    },
  }
}

const state = async (nonce: Hex) => {
  const [state] = await chain.client.readContract({
    address: base.creditsContract,
    abi: creditsAbi,
    functionName: 'orderState',
    args: [alice, orderKeyOf(nonce)],
  })
  return state
}

describe('403', () => {
  test('refuses a contract that is not on the whitelist', async () => {
    const other = await chain.deploy(normalMerchantAbi, normalMerchantBytecode, [base.usdc])
    const body = await signed({ transactionData: buy(1n, other) })
    expect(await send(body)).toMatchObject(
      refused(403, 'NOT_WHITELISTED', { details: { selector: buySelector } }),
    )
    await sandbox.whitelist({ target: other, selector: '0x12345678' })
    expect(await send(body)).toMatchObject(refused(403, 'NOT_WHITELISTED'))
    await sandbox.whitelist({ target: other })
    expect((await send(body)).status).toBe(200)
  })

  test('does not apply another merchant’s whitelist', async () => {
    const body = await signed({ merchantId: 'other-shop', transactionData: buy(1n) })
    expect(await send(body)).toMatchObject(refused(403, 'NOT_WHITELISTED'))
  })

  test.each(['approve(address,uint256)', 'transferAndCall(address,uint256,bytes)'])(
    '%s is never called, even if whitelisted',
    async (signature) => {
      const selector = toFunctionSelector(signature)
      await expect(sandbox.whitelist({ target: merchant, selector })).rejects.toThrow(
        `The whitelist contract rejected this entry: ForbiddenSelector: selector ${selector}. A redeem may never call a function that`,
      )
      const data: Hex = `${selector}${'00'.repeat(64)}`
      const body = await signed({ transactionData: { transaction: { to: merchant, data } } })
      expect(await send(body)).toMatchObject(refused(403, 'NOT_WHITELISTED', { details: { selector } }))
    },
  )

  test.each(['usdc', 'creditsContract'] as const)('%s is never called', async (name) => {
    await expect(sandbox.whitelist({ target: base[name] })).rejects.toThrow(
      `The whitelist contract rejected this entry: ForbiddenTarget: target ${base[name]}. A redeem may never call USDC, the`,
    )
    const body = await signed({ transactionData: buy(1n, base[name]) })
    expect(await send(body)).toMatchObject(refused(403, 'NOT_WHITELISTED'))
  })

  test('refuses an address without code', async () => {
    const target = privateKeyToAccount(generatePrivateKey()).address
    await expect(sandbox.whitelist({ target })).rejects.toThrow(
      `The whitelist contract rejected this entry: TargetWithoutCode: target ${target}. This chain has no contract at this`,
    )
    const body = await signed({ transactionData: buy(1n, target) })
    expect(await send(body)).toMatchObject(refused(403, 'NOT_WHITELISTED'))
  })

  test('approving a forbidden entry returns the contract’s own error', async () => {
    const target = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
    const approval = { blockchain: 'base', programId: target, approved: true }
    const answer = await service.post('/sandbox/program', approval, { authorization: 'first key' })
    expect(answer).toMatchObject(
      refused(403, 'NOT_WHITELISTED', {
        details: {
          revertReason: `ForbiddenTarget: target ${target}`,
          error: { name: 'ForbiddenTarget', args: { target } },
        },
      }),
    )
  })

  test('refuses an NFT contract that is not on the whitelist', async () => {
    const nftContract = await chain.deploy(normalMerchantAbi, normalMerchantBytecode, [base.usdc])
    const body = await signed({ transactionData: { type: 'safeMint', ...call(), nftContract } })
    expect(await send(body)).toMatchObject(refused(403, 'NOT_WHITELISTED'))
  })
  const call = () => ({ transaction: (buy(1n) as { transaction: { to: Hex; data: Hex } }).transaction }) // Of kind normal.
})

describe('409', () => {
  test('refuses one idempotency key for two mints', async () => {
    const mint = { wallet: alice, blockchain: 'base', amount: { cents: 1 }, idempotencyKey: 'k' }
    const key = { authorization: 'first key' }
    const first = await service.post('/api/merchant/credits/mint', mint, key)
    expect(await service.post('/api/merchant/credits/mint', mint, key)).toMatchObject({ body: first.body })
    const other = await service.post('/api/merchant/credits/mint', { ...mint, amount: { cents: 2 } }, key)
    expect(other).toMatchObject(refused(409, 'AMBIGUOUS_INTENT'))
  })
})

describe('412', () => {
  test('refuses more than the wallet has, with the message of a live service; after a top-up, the same signature succeeds', async () => {
    const poor = privateKeyToAccount(generatePrivateKey())
    const body = await signedBody(service, { request: request(), key: poor })
    const message = 'Wallet does not have enough credits to complete redeem request'
    expect(await send(body, poor.address)).toMatchObject(refused(412, 'INSUFFICIENT_CREDITS', { message }))
    // Enough for the subtotal, but not for the fee.
    await lender.mintCredits({ wallet: poor.address, cents: 100 })
    expect(await send(body, poor.address)).toMatchObject(refused(412, 'INSUFFICIENT_CREDITS', { message }))
    await lender.mintCredits({ wallet: poor.address, cents: 100 })
    expect((await send(body, poor.address)).status).toBe(200)
  })

  test.each(['credits', 'V2'] as const)(
    'refuses concurrent redeems that together exceed the balance, before sending any that would fail (%s)',
    async (payment) => {
      const poor = privateKeyToAccount(generatePrivateKey())
      await Promise.all(
        Array.from({ length: 5 }, () => lender.mintCredits({ wallet: poor.address, cents: 100 })),
      )
      await lender.mintUsdc({ wallet: poor.address, cents: 200 })
      const part = payment === 'V2' ? { usdcAmount: { cents: 90 } } : {}
      const bodies = await Promise.all(
        [151, 152, 153, 154, 155, 156].map((cents) =>
          signedBody(service, {
            request: request({ subtotal: { cents }, ...part }),
            key: poor,
            payment,
          }),
        ),
      )
      const code = payment === 'V2' ? 'SIMULATION_FAILED' : 'INSUFFICIENT_CREDITS'
      const all = async () => {
        const answers = await Promise.all(bodies.map((body) => send(body, poor.address)))
        const sent = answers.filter(({ status }) => status === 200)
        for (const answer of answers)
          if (!sent.includes(answer)) expect(answer).toMatchObject({ status: 412, body: { code } })
        return sent.map(({ body }) => body.hash as Hex) // Returned by the service with a 200.
      }
      await chain.rpc('evm_setAutomine', [false])
      let hashes: Hex[] = []
      try {
        hashes = await all()
        expect(await all()).toEqual(hashes)
      } finally {
        await chain.rpc('evm_setAutomine', [true])
        await chain.rpc('evm_mine', [])
      }
      // 5.00 is enough for three redeems of about 1.53, and 2.00 for two of 0.90.
      expect(hashes).toHaveLength(payment === 'V2' ? 2 : 3)
      for (const hash of hashes) expect((await waitForReceipt(chain.client, hash)).status).toBe('success')
    },
  )

  test('refuses a risen fee: prepared again with the same salt and order key, the redeem has the same nonce and succeeds', async () => {
    const salt: Hex = `0x${'e1'.repeat(32)}`
    const orderKey: Hex = `0x${'e1'.repeat(12)}`
    // Empty blocks lower the base fee. This is the chain's initial value.
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', ['0x989680'])
    await chain.rpc('evm_mine', [])
    const body = await signed({ salt, orderKey })
    coinCents *= 1_000n
    const answer = await send(body)
    expect(answer).toMatchObject(refused(412, 'EXCEEDS_AUTHORIZED'))
    expect(answer.body.message).toMatch(/^Total \d+\.\d\d exceeds max credits authorized 1\.\d\d$/)
    const again = await signed({ salt, orderKey })
    expect(again.nonce).toBe(body.nonce)
    expect(again.creditsRawAmount).toBeGreaterThan(body.creditsRawAmount)
    const sent = await send(again)
    expect(sent.status).toBe(200)
    // The first permit gets the same response, because it has the same nonce. It can no longer execute.
    expect(await send(body)).toMatchObject({ status: 200, body: sent.body })
  })

  test('refuses a contract that reverts, with its reason', async () => {
    const data = encodeFunctionData({
      abi: normalMerchantAbi,
      functionName: 'buy',
      args: [`0x${'00'.repeat(20)}`, 1n],
    })
    const body = await signed({ transactionData: { transaction: { to: merchant, data } } })
    expect(await send(body)).toMatchObject(
      refused(412, 'SIMULATION_FAILED', { details: { revertReason: 'NormalMerchant: no receiver' } }),
    )
    expect(await state(body.nonce)).toBe(0)
  })

  test('refuses a customer without enough USDC', async () => {
    const poor = privateKeyToAccount(generatePrivateKey())
    await lender.mintCredits({ wallet: poor.address, cents: 500 })
    const body = await signedBody(service, {
      request: request({ usdcAmount: { cents: 40 } }),
      key: poor,
    })
    expect(await send(body, poor.address)).toMatchObject(
      refused(412, 'SIMULATION_FAILED', {
        details: { revertReason: 'ERC20: transfer amount exceeds balance' },
      }),
    )
  })

  test('refuses every change to the permit', async () => {
    const body = await signed()
    const { permitCredits } = body.signedMessages
    const flip = (hex: string, at: number) =>
      `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}`
    const bad = [
      { ...body, creditsRawAmount: body.creditsRawAmount + 1 },
      { ...body, validBefore: String(Number(body.validBefore) + 1) },
      { ...body, validBefore: String(Number(body.validBefore) + 100_000) },
      ...[
        flip(permitCredits, 10),
        flip(permitCredits, 100),
        `${permitCredits.slice(0, -2)}1d`,
        `${permitCredits}00`,
        permitCredits.slice(0, -4),
        '0x',
        `0x${'00'.repeat(65)}`,
        `0x${'ff'.repeat(65)}`,
        // Ends like an ERC-6492 wrapper, but cannot be decoded.
        `0x${'6492'.repeat(16)}`,
        `0x1234${'6492'.repeat(16)}`,
      ].map((permit) => ({ ...body, signedMessages: { permitCredits: permit } })),
    ]
    for (const changed of bad)
      expect(await send(changed), JSON.stringify(changed.signedMessages)).toMatchObject(
        refused(412, 'INVALID_PERMIT'),
      )
    expect(await state(body.nonce)).toBe(0)
    expect((await send(body)).status).toBe(200)
  })

  test.each([
    ['v of 0 or 1', (r: string, s: string, v: number) => `${r}${s.slice(2)}0${v - 27}`],
    ['high s', (r: string, s: string, v: number) => `${r}${highS(s)}${v === 27 ? '1c' : '1b'}`],
    ['64 bytes', (r: string, s: string, v: number) => `${r}${compactS(s, v)}`],
  ])('normalizes a key’s permit with %s', async (_, write) => {
    const body = await signed()
    const bytes = body.signedMessages.permitCredits
    const form = write(bytes.slice(0, 66), `0x${bytes.slice(66, 130)}`, Number.parseInt(bytes.slice(130), 16))
    const answer = await send({ ...body, signedMessages: { permitCredits: form } })
    expect(answer).toMatchObject({ status: 200 })
    const receipt = await waitForReceipt(chain.client, answer.body.hash)
    expect(receipt.status).toBe('success')
  })

  test('a service with intent-bound permits never requests a transfer authorization, which anyone could execute', () => {
    expect(() =>
      createSandbox({ usdcAuthorizationType: 'TransferWithAuthorization', merchants: [], chains: [] }),
    ).toThrow(expect.objectContaining({ name: 'InvalidSandboxOptionsError', field: 'usdcAuthorizationType' }))
  })
})

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const highS = (s: string) => (order - BigInt(s)).toString(16).padStart(64, '0')
const compactS = (s: string, v: number) =>
  (BigInt(s) | (BigInt(v - 27) << 255n)).toString(16).padStart(64, '0')

describe('precedence', () => {
  test('checks 400 before 403, 409 and 412', async () => {
    const body = await signed()
    const other = { transaction: { to: lender.accounts.bob.address, data: '0x12345678' } }
    // Starts with every error, then corrects one error after another.
    const all = {
      ...body,
      transactionData: other,
      signedMessages: { permitCredits: '0x' },
      subtotal: { cents: -1 },
    }
    expect(await send(all)).toMatchObject(refused(400, 'INVALID_REQUEST'))
    expect(await send({ ...all, subtotal: body.subtotal })).toMatchObject(refused(403, 'NOT_WHITELISTED'))
    expect(await send({ ...all, subtotal: body.subtotal, transactionData: buy(1n) })).toMatchObject(
      refused(409, 'INTENT_MISMATCH'),
    )
    expect(await send({ ...body, signedMessages: all.signedMessages })).toMatchObject(
      refused(412, 'INVALID_PERMIT'),
    )
  })
})

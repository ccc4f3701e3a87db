import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPaymentsClient } from '../api/createPaymentsClient.ts'
import { orderKey } from '../evm/creditPermit/orderKey.ts'
import { settlementHash } from '../evm/creditPermit/redeemIntentNonce.ts'
import { typedDataJson } from '../evm/signer/toSigner.ts'
import { paymentIntentNonce } from '../evm/usdcAuthorization/paymentIntentNonce.ts'
import { verifyUsdcAuthorization } from '../evm/usdcAuthorization/signUsdcAuthorization.ts'
import { usdcAuthorizationTypedData } from '../evm/usdcAuthorization/usdcAuthorization.ts'
import { parseUsdcAuthorization } from '../evm/usdcAuthorization/usdcAuthorizationRecord.ts'
import { signPaymentUsdc } from './signPaymentUsdc.ts'

const chainId = 84532
const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const wallet = account.address
const settlementContract = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const settlementOperator = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const now = () => 1_800_000_000_000
const pinned = { settlementContract, creditSeed: 'shop', chainId } as const
const amount = { cents: 400 }
const purchaseId = 'order 1'
const payment = { subtotal: { cents: 1000 }, settlementType: 'Credits' } as const

/** How a dishonest service changes its response. */
let lie: {
  message?: object
  data?: object
  type?: 'TransferWithAuthorization'
  chainId?: number
  seconds?: number
}
/** Request bodies that the service received. */
let asked: { amount: object; nonce?: Hex; paymentId?: string }[]
let prompts: number
beforeEach(() => {
  lie = {}
  asked = []
  prompts = 0
})

const client = createPaymentsClient({
  baseUrl: 'https://service.example',
  merchantId: 'sandbox-shop',
  blockchain: 'base',
  environment: 'sandbox',
  wallet,
  now,
  fetch: async (_, init) => {
    const body = JSON.parse(String(init?.body))
    asked.push(body)
    const message = {
      from: wallet,
      to: settlementContract,
      value: BigInt(body.amount.cents) * 10_000n,
      validAfter: 0n,
      validBefore: 1_800_000_000n + BigInt(lie.seconds ?? 600),
      nonce: body.nonce ?? `0x${'5a'.repeat(32)}`,
      ...lie.message,
    } as const
    const typedData = usdcAuthorizationTypedData({
      chainId: lie.chainId ?? chainId,
      type: lie.type ?? 'ReceiveWithAuthorization',
      authorization: message,
    })
    const texts = Object.fromEntries(
      Object.entries({ ...message, ...lie.data }).map(([key, value]) => [key, String(value)]),
    )
    return Response.json({ message: typedDataJson(typedData), messageData: texts })
  },
})
const onPrompt = () => {
  prompts++
}
const sign = (change: Partial<signPaymentUsdc.Options> = {}) =>
  signPaymentUsdc(client, account, { amount, payment, purchaseId, pinned, onPrompt, ...change })
const fails = (name: string, field: string) => expect.objectContaining({ name, field })

test('signs an authorization whose nonce commits to the payment, and returns the fields for the checkout', async () => {
  const { customerUsdcTransferDataV2: signed, orderKey: key, salt, ...rest } = await sign()
  expect(rest).toEqual({})
  expect(key).toBe(orderKey({ merchantId: 'sandbox-shop', purchaseId }))
  const { authorization, signature } = parseUsdcAuthorization(signed as NonNullable<typeof signed>)
  const nonce = paymentIntentNonce({
    orderKey: key as Hex,
    salt: salt as Hex,
    customer: wallet,
    outcome: 'mintCredits',
    receiver: wallet,
    creditSeed: 'shop',
    amount: 10_000_000n,
    value: 4_000_000n,
  })
  expect(authorization).toMatchObject({ from: wallet, to: settlementContract, value: 4_000_000n, nonce })
  expect(asked).toEqual([{ amount, nonce }])
  expect(
    await verifyUsdcAuthorization({ chainId, type: 'ReceiveWithAuthorization', authorization, signature }),
  ).toBe(true)
})

describe('the payment that the nonce commits to', () => {
  const shared = { customer: wallet, creditSeed: 'shop', amount: 10_000_000n, value: 4_000_000n } as const
  const token = { type: 'token', destination: stranger } as const
  const subtotal = { cents: 1000 }
  test.each([
    [
      'a settlement',
      { subtotal, transactionData: token },
      { outcome: 'execute', settlementHash: settlementHash(token) },
    ],
    [
      'credits for another address',
      { subtotal, settlementType: 'Credits', destination: stranger },
      { outcome: 'mintCredits', receiver: stranger },
    ],
    [
      'USDC for another address',
      { subtotal, destination: stranger },
      { outcome: 'payUsdc', receiver: stranger },
    ],
    [
      'USDC that stays at the service',
      { subtotal, settlementType: 'USDC' },
      { outcome: 'payUsdc', receiver: settlementOperator },
    ],
  ] as const)('%s', async (_, terms, committed) => {
    const result = await sign({ payment: terms, pinned: { ...pinned, settlementOperator } })
    const { orderKey: key, salt } = result
    expect(asked[0]?.nonce).toBe(
      paymentIntentNonce({ ...shared, ...committed, orderKey: key as Hex, salt: salt as Hex }),
    )
  })

  test('may pay the operator only if it is pinned; otherwise no request is made', async () => {
    await expect(sign({ payment: { subtotal } })).rejects.toThrow(
      fails('PinsRequiredError', 'pinned.settlementOperator'),
    )
    expect([asked, prompts]).toEqual([[], 0])
  })

  test('must not have a subtotal in another currency', async () => {
    const euros = { subtotal: { cents: 1000, currency: 'EUR' } } as never
    await expect(sign({ payment: euros })).rejects.toThrow(
      fails('InvalidRecordError', 'payment.subtotal.currency'),
    )
  })

  test('is required', async () => {
    await expect(sign({ payment: undefined })).rejects.toThrow(fails('InvalidOptionError', 'payment'))
  })
})

describe('a wrong response is an error before the prompt', () => {
  const other = `0x${'ab'.repeat(32)}` as const
  test.each([
    ['another payee', { message: { to: stranger } }, 'message.to'],
    ['the operator as payee', { message: { to: settlementOperator } }, 'message.to'],
    ['more', { message: { value: 4_000_001n } }, 'message.value'],
    ['another wallet', { message: { from: stranger } }, 'message.from'],
    ['another nonce', { message: { nonce: other } }, 'message.nonce'],
    ['a later start', { message: { validAfter: 1n } }, 'message.validAfter'],
    ['a transfer', { type: 'TransferWithAuthorization' }, 'primaryType'],
    ['another chain', { chainId: 8453 }, 'domain.chainId'],
    ['another payee in messageData only', { data: { to: stranger } }, 'messageData.to'],
    ['another value in messageData only', { data: { value: 1n } }, 'messageData.value'],
    ['another nonce in messageData only', { data: { nonce: other } }, 'messageData.nonce'],
  ] as const)('%s', async (_, change, field) => {
    lie = change
    await expect(sign()).rejects.toThrow(fails('PreparedMismatchError', field))
    expect(prompts).toBe(0)
  })

  test.each([
    [30, 'ExpiredError'],
    [3601, 'TooFarAheadError'],
  ])('with %i seconds until its expiry', async (seconds, name) => {
    lie = { seconds }
    await expect(sign()).rejects.toMatchObject({ name })
    expect(prompts).toBe(0)
  })

  test.each([31, 3600])('%i seconds until the expiry are accepted', async (seconds) => {
    lie = { seconds }
    await sign()
    expect(prompts).toBe(1)
  })
})

test('each attempt has its own salt and the same order key', async () => {
  const [one, other] = [await sign(), await sign()]
  expect(one.orderKey).toBe(other.orderKey)
  expect(one.salt).not.toBe(other.salt)
})

test('without an order id the order key is random, with its highest bit set', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => sign({ purchaseId: undefined })))
  expect(new Set(keys.map((one) => one.orderKey)).size).toBe(8)
  for (const one of keys) expect(one.orderKey).toMatch(/^0x[89a-f][0-9a-f]{23}$/)
})

describe('a service with random nonces', () => {
  const trusted = { ...pinned, paymentIntentBound: false }

  test('is accepted if pinned: no nonce is sent, and no order is returned', async () => {
    lie = { type: 'TransferWithAuthorization' }
    const result = await sign({ pinned: trusted, payment: undefined })
    expect(asked).toEqual([{ amount }])
    expect(Object.keys(result)).toEqual(['customerUsdcTransferDataV2'])
    expect(result.customerUsdcTransferDataV2?.nonce).toBe(`0x${'5a'.repeat(32)}`)
  })

  test('must have the pinned type', async () => {
    lie = { type: 'TransferWithAuthorization' }
    const usdcAuthorizationType = 'ReceiveWithAuthorization'
    await expect(sign({ pinned: { ...trusted, usdcAuthorizationType } })).rejects.toThrow(
      fails('PreparedMismatchError', 'primaryType'),
    )
  })

  test('is an error without that pin', async () => {
    lie = { message: { nonce: `0x${'5a'.repeat(32)}` } }
    await expect(sign()).rejects.toThrow(fails('PreparedMismatchError', 'message.nonce'))
  })
})

test.each([
  ['options', { amuont: amount }, 'amuont'],
  ['pins', { pinned: { ...pinned, settlmentContract: stranger } }, 'pinned.settlmentContract'],
  ['terms', { payment: { ...payment, destinaton: stranger } }, 'payment.destinaton'],
])('a misspelled field of %s is an error', async (_, change, field) => {
  await expect(sign(change as never)).rejects.toThrow(fails('InvalidOptionError', field))
})

test('makes no request without a pinned contract', async () => {
  await expect(sign({ pinned: { creditSeed: 'shop', chainId } as never })).rejects.toThrow(
    fails('PinsRequiredError', 'pinned.settlementContract'),
  )
  expect(asked).toEqual([])
})

test('the signature of a contract account stays unchanged', async () => {
  const code = '0x6001'
  // A valid ERC-1271 response.
  const request = async ({ method }: { method: string }) =>
    method === 'eth_getCode' ? code : `0x1626ba7e${'00'.repeat(28)}`
  // A passkey's 64 bytes, a Safe's `v` of 31, and an owner's earlier approval.
  for (const bytes of [
    `0x${'11'.repeat(64)}`,
    `0x${'11'.repeat(64)}1f`,
    `0x${'00'.repeat(12)}${'22'.repeat(20)}${'00'.repeat(32)}01`,
  ] as const) {
    const signer = { ...account, sign: undefined, type: 'smart', signTypedData: async () => bytes }
    const signed = await signPaymentUsdc(client, signer as never, {
      amount,
      payment,
      purchaseId,
      pinned,
      publicClient: { request },
    })
    expect(signed.customerUsdcTransferDataV2?.signature).toBe(bytes)
  }
})

test('a node that fails is an error before the prompt', async () => {
  const publicClient = { request: async () => Promise.reject(new Error('down')) }
  await expect(sign({ publicClient })).rejects.toMatchObject({ name: 'ChainReadError' })
  expect(prompts).toBe(0)
})

describe('an abort', () => {
  /** Creates a wallet that runs `during` before it responds to `method`. */
  const walletThat = (method: string, during: () => unknown) => {
    const methods: string[] = []
    return {
      methods,
      request: async (call: { method: string; params?: unknown }) => {
        methods.push(call.method)
        if (call.method === method) await during()
        if (call.method === 'eth_accounts') return [wallet]
        if (call.method === 'eth_chainId') return chainId
        const [, text] = call.params as [string, string]
        return account.signTypedData(JSON.parse(text))
      },
    }
  }
  const stopped = { name: 'RequestAbortedError', remedy: 'stop' }

  test('before the prompt is opened prevents it', async () => {
    const abort = new AbortController()
    const signer = walletThat('eth_accounts', () => abort.abort())
    const options = { amount, payment, purchaseId, pinned, signal: abort.signal }
    await expect(signPaymentUsdc(client, signer as never, options)).rejects.toMatchObject(stopped)
    expect(signer.methods).not.toContain('eth_signTypedData_v4')
  })

  test('while the prompt is open ends the call; a late signature is not returned', async () => {
    const abort = new AbortController()
    const signer = walletThat('eth_signTypedData_v4', () => abort.abort())
    const options = { amount, payment, purchaseId, pinned, signal: abort.signal }
    await expect(signPaymentUsdc(client, signer as never, options)).rejects.toMatchObject(stopped)
  })
})

import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createPaymentsClient } from '../api/createPaymentsClient.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { findRedeem } from '../redeem/findRedeem.ts'
import { waitForRedeem } from '../redeem/waitForRedeem.ts'
import * as tempo from '../tempo/index.ts'
import * as evm from './index.ts'

/**
 * Callers without TypeScript can pass anything. Every exported function rejects an invalid argument with a redeemkit error, never with
 * another error.
 */

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const wallet = account.address
const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const hash = `0x${'22'.repeat(32)}` as const
const key12 = `0x${'aa'.repeat(12)}` as const
const signature = `0x${'11'.repeat(64)}1b` as const
const client = { request: async () => '0x' }
const domain = { name: 'Credits', version: '1', chainId: 8453, verifyingContract: contract } as const
const inTenMinutes = BigInt(Math.floor(Date.now() / 1000) + 600)
const permit = {
  customerWallet: wallet,
  creditSeed: 'my-shop',
  amount: 1_030_000n,
  validBefore: inTenMinutes,
  nonce: hash,
}
const authorization = {
  from: wallet,
  to: contract,
  value: 4_000_000n,
  validAfter: 0n,
  validBefore: inTenMinutes,
  nonce: hash,
} as const
const usdc = { chainId: 8453, type: 'ReceiveWithAuthorization', authorization } as const
const call = { to: contract, data: '0xcce7ec13' } as const
const bridge = {
  dstChainId: 42161,
  dstToken: contract,
  contractAddress: contract,
  contractData: '0xcce7ec13',
  cost: { isNative: false, amount: 10_000_000n },
}
const transactionData = { type: 'token', destination: wallet } as const
const order = { chainId: 42431, gas: 1_000_000n, maxFeePerGas: 20_000_000_000n, nonce: 0n }
const transaction = tempo.buildTempoTransaction({ ...order, calls: [call] })
const serialized = tempo.serializeTempoTransaction(transaction)
const expected = { chainId: 42431, account: wallet, calls: [call] }
const key = {
  x: '0x60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6',
  y: '0x7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299',
}
const keyPair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
  'sign',
  'verify',
])

/** Valid arguments of each function. The tests replace one of them at a time with an invalid value. */
const goodArguments: Readonly<Record<string, readonly unknown[]>> = {
  parseSiweMessage: [''],
  signAuthMessage: [
    account,
    { message: 'hello', chainId: 8453, domains: ['a.example'], allowPlainText: true },
  ],
  verifyAuthMessage: [
    { message: 'hello', address: wallet, signature, client, chainId: 8453, signatures: undefined },
  ],
  cancelCreditPermit: [
    account,
    { domain, customerWallet: wallet, nonce: hash, client: undefined, signatures: undefined },
  ],
  cancelCreditPermitTypedData: [{ domain, customerWallet: wallet, nonce: hash }],
  hashCancelCreditPermit: [{ domain, customerWallet: wallet, nonce: hash }],
  creditPermitDescriptor: [
    {
      owner: 'Shop',
      url: 'https://shop.example',
      deployments: [{ chainId: 8453, address: contract }],
      domainName: undefined,
      domainVersion: undefined,
    },
  ],
  creditPermitTypedData: [{ domain, permit }],
  hashCreditPermit: [{ domain, permit }],
  inspectCreditPermit: [
    { domain, permit },
    { pinned: undefined, intent: undefined },
  ],
  isIntentBoundNonce: [hash],
  orderKey: [{ merchantId: 'shop', purchaseId: 'order 1' }],
  orderKeyOf: [hash],
  commitmentOf: [hash],
  orderState: [client, { creditsContract: contract, wallet, orderKey: key12, blockNumber: 1n }],
  parseCreditPermitMessage: ['{}'],
  redeemIntentNonce: [
    { orderKey: key12, customerWallet: wallet, settlementHash: hash, amount: 1n, usdcAmount: 0n, salt: hash },
  ],
  settlementHash: [transactionData, { bridgeAdapter: contract }],
  signCreditPermit: [account, { domain, permit, client: undefined, signatures: undefined, now: undefined }],
  verifyCreditPermit: [{ domain, permit, signature, client: undefined, signatures: undefined }],
  disclosedIntentOf: [{ method: 'eth_signTypedData_v4', params: [] }],
  formatInspection: [
    { title: { key: 'goods.any', values: {} }, lines: [], findings: [] },
    { texts: undefined },
  ],
  evmAdapter: [{ signer: account, blockchain: 'base', environment: 'sandbox', chainId: undefined }],
  inspect: [{ method: 'personal_sign', params: [] }, {}],
  networkOf: [{ chainId: 8453 }],
  decodeRevert: [{ data: '0x', abi: [], transactionData: undefined }],
  classifySignature: [signature],
  normalizeSignature: [signature, { hasCode: true, field: 'signature' }],
  toSigner: [account],
  decent: [bridge],
  decodeTransactionData: [{ transactionData: { type: 'normal', transaction: call }, abi: [] }],
  knownTokenId: [{ ...call, nftContract: contract, nftId: 1n }],
  normal: [call],
  returned: [{ ...call, nftContract: contract }],
  safeMint: [{ ...call, nftContract: contract }],
  settlementOf: [transactionData],
  token: [{ destination: wallet }],
  cancelUsdcAuthorization: [account, { chainId: 8453, authorizer: wallet, nonce: hash, token: undefined }],
  cancelUsdcAuthorizationTypedData: [{ chainId: 8453, authorizer: wallet, nonce: hash, token: undefined }],
  hashCancelUsdcAuthorization: [{ chainId: 8453, authorizer: wallet, nonce: hash, token: undefined }],
  hashUsdcAuthorization: [{ ...usdc, token: undefined }],
  inspectUsdcAuthorization: [
    { ...usdc, domain },
    { pinned: undefined, intent: undefined },
  ],
  parseUsdcAuthorization: [{ ...authorization, signature }],
  parseUsdcAuthorizationMessage: ['{}'],
  paymentIntentNonce: [
    {
      orderKey: `0x${'8f'.repeat(12)}`,
      customer: wallet,
      outcome: 'payUsdc',
      receiver: contract,
      creditSeed: 'shop',
      amount: 2n,
      value: 1n,
      salt: hash,
    },
  ],
  signUsdcAuthorization: [account, { ...usdc, token: undefined, client: undefined }],
  toUsdcAuthorizationV1: [{ authorization, signature }, { hasCode: false }],
  toUsdcAuthorizationV2: [{ authorization, signature }, { hasCode: false }],
  usdcAuthorizationTypedData: [{ ...usdc, token: undefined }],
  verifyUsdcAuthorization: [{ ...usdc, signature, token: undefined, client: undefined }],
  usdcAuthorizationDescriptors: [[{ chainId: 8453, usdc: true }]],
  usdcToken: [{ chainId: 8453 }],
  isTempoChain: [4217],
  classifyTempoSignature: [signature],
  keychainDigest: [{ digest: hash, account: wallet }],
  parseClientData: ['{}'],
  parseTempoSignature: [signature],
  serializeTempoSignature: [tempo.parseTempoSignature(signature)],
  accessKeySigner: [{ account: wallet, key: account }],
  passkeySigner: [{ credentialId: 'AQIDBA', publicKey: key, rpId: 'shop.example' }],
  webCryptoSigner: [{ keyPair }],
  buildTempoTransaction: [{ ...order, calls: [call], feeToken: undefined, validBefore: undefined }],
  hashTempoFeePayer: [{ ...transaction, feeToken: contract }, { sender: contract }],
  hashTempoTransaction: [transaction],
  inspectTempoTransaction: [
    serialized,
    { ...expected, client: undefined, webAuthn: undefined, now: undefined },
  ],
  parseTempoTransaction: [serialized],
  serializeTempoTransaction: [transaction, { format: 'transaction' }],
  signTempoTransaction: [account, { serialized, expected }],
  sponsorTempoTransaction: [
    account,
    { serialized, feeToken: contract, expected: { ...expected, maxFee: 50_000n } },
  ],
  askSignatureVerifier: [client, { account: wallet, digest: hash, signature }],
  checkTempoSignature: [{ account: wallet, digest: hash, signature, client: undefined, now: undefined }],
  getAccessKey: [client, { account: wallet, keyId: contract }],
  tempoSignatures: [{ webAuthn: undefined }],
  verifyTempoSignature: [{ account: wallet, digest: hash, signature, webAuthn: undefined }],
}

const breaking = () => {
  throw new TypeError('a proxy that throws')
}
const hostile: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  'a number': () => 7,
  'a text': () => 'x',
  'a list': () => [],
  'an empty object': () => ({}),
  'a promise': () => Promise.resolve({}),
  'a proxy that throws': () =>
    new Proxy({}, { get: breaking, has: breaking, ownKeys: breaking, getPrototypeOf: breaking }),
}

/** Functions that accept every value above. */
const answersEverything = ['inspect', 'disclosedIntentOf', 'isTempoChain', 'classifyTempoSignature']
function isAnswer(name: string, position: number, value: string): boolean {
  if (answersEverything.includes(name)) return true
  const { length } = Object.getOwnPropertyDescriptor(functions, name)?.value ?? breaking
  // an optional options object may also be undefined or empty
  if (position >= length) return ['undefined', 'an empty object', 'a promise'].includes(value)
  return false
}

const functions: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = Object.fromEntries(
  Object.entries({ ...evm, ...tempo })
    .filter(([, value]) => typeof value === 'function' && !(value.prototype instanceof BaseError))
    // the cast allows arguments that the type forbids
    .map(([name, value]) => [name, value as (...values: readonly unknown[]) => unknown]),
)

/** Calls a function and returns its outcome: `a result`, `a redeemkit error`, or the text of any other error. */
async function outcomeOf(name: string, values: readonly unknown[]): Promise<string> {
  try {
    await functions[name]?.(...values)
    return 'a result'
  } catch (error) {
    return error instanceof BaseError ? 'a redeemkit error' : `foreign: ${error}`
  }
}

const replaced = (values: readonly unknown[], position: number, value: unknown) =>
  values.map((old, index) => (index === position ? value : old))

test('the table of valid arguments has every exported function', () => {
  expect(Object.keys(goodArguments).sort()).toEqual(Object.keys(functions).sort())
})

describe.each(Object.entries(goodArguments))('%s', (name, good) => {
  test('an invalid argument is rejected with a redeemkit error', async () => {
    const wrong: string[] = []
    for (const position of good.keys())
      for (const [value, make] of Object.entries(hostile)) {
        const outcome = await outcomeOf(name, replaced(good, position, make()))
        if (outcome !== 'a redeemkit error' && !(outcome === 'a result' && isAnswer(name, position, value)))
          wrong.push(`argument ${position} as ${value}: ${outcome}`)
      }
    expect(wrong).toEqual([])
  })

  test('a field of the wrong type causes no error other than a redeemkit error', async () => {
    const wrong: string[] = []
    for (const [position, argument] of good.entries())
      for (const field of Object.keys(Object(argument)).filter(() => typeof argument === 'object'))
        for (const [value, make] of Object.entries(hostile)) {
          const broken = { ...Object(argument), [field]: make() }
          const outcome = await outcomeOf(name, replaced(good, position, broken))
          if (outcome.startsWith('foreign')) wrong.push(`${field} as ${value}: ${outcome}`)
        }
    expect(wrong).toEqual([])
  })
})

describe('the error for a misspelt option names the option', () => {
  const names = Object.keys(goodArguments).filter((name) =>
    /^verify|^cancel(?!.*TypedData)|^orderState/.test(name),
  )

  test.each(names)('%s', async (name) => {
    const good = goodArguments[name] ?? []
    const misspelt = { ...Object(good.at(-1)), cliennt: client }
    await expect(functions[name]?.(...good.slice(0, -1), misspelt)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'cliennt',
    })
  })
})

describe('a Tempo signer refuses an invalid argument', () => {
  const signer = tempo.accessKeySigner({ account: wallet, key: account })

  test.each(['sign', 'signMessage', 'signTypedData'] as const)('%s', async (method) => {
    // the cast allows arguments that the type forbids
    for (const make of Object.values(hostile))
      await expect((signer[method] as (value: unknown) => unknown)(make())).rejects.toBeInstanceOf(BaseError)
  })
})

describe('the error for a payments client in place of a node client names the mistake', () => {
  const payments = createPaymentsClient({
    baseUrl: 'https://service.example',
    merchantId: 'shop',
    blockchain: 'base',
  })
  const redeemed = { chainId: 8453, creditsContract: contract, wallet, nonce: hash } as const

  test.each([
    ['findRedeem', findRedeem],
    ['waitForRedeem', waitForRedeem],
  ])('%s', async (_name, look) => {
    await expect(look(payments, redeemed)).rejects.toMatchObject({
      shortMessage: 'publicClient is a payments client, which cannot read a chain.',
      field: 'publicClient',
    })
  })

  test('orderState', async () => {
    await expect(
      evm.orderState(payments, { creditsContract: contract, wallet, orderKey: key12 }),
    ).rejects.toMatchObject({
      shortMessage: 'client is a payments client, which cannot read a chain.',
    })
  })
})

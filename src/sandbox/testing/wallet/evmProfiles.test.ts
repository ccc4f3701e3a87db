import { BrowserProvider } from 'ethers'
import {
  concatHex,
  createWalletClient,
  custom,
  type Hex,
  hashTypedData,
  hexToBigInt,
  numberToHex,
  pad,
  recoverAddress,
  slice,
  sliceHex,
} from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { createPaymentsClient } from '../../../redeemkit/api/createPaymentsClient.ts'
import { login } from '../../../redeemkit/auth/login.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import { signCreditPermit } from '../../../redeemkit/evm/creditPermit/signCreditPermit.ts'
import { evmAdapter } from '../../../redeemkit/evm/evmAdapter.ts'
import { unwrapErc6492 } from '../../../redeemkit/evm/signature/normalizeSignature.ts'
import type { EvmSigner } from '../../../redeemkit/evm/signer/toSigner.ts'
import { signUsdcAuthorization } from '../../../redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import {
  account,
  chainId,
  creditsContract,
  wallet as customer,
  emptyStorage,
  fakeChain,
  fakeService,
  hash,
  honestAnswer,
  now,
  nowSeconds,
  orderKey,
  pinned,
  random,
  redeemedLog,
  salt,
  token,
} from '../../../redeemkit/redeem/redeem.fixture.ts'
import { redeem } from '../../../redeemkit/redeem/redeem.ts'
import type { SendGaslessTxBody } from '../../../redeemkit/schema/sendGaslessTxBody.ts'
import { evmProfiles } from './evmProfiles.ts'
import { type EvmProfileName, type FakeWallet, fakeWallet } from './fakeWallet.ts'

/** Time for which callers in these tests wait for a wallet that does not respond. */
const patienceMs = 60

/** The outcome of a call: success, an error with that name, or no response within the time that the caller waits. */
type Outcome = 'works' | 'no response' | `${string}Error`

/** The calls under test. Each call has a client that reads the chain, except `offline`, which signs the permit without a client. */
type Calls = 'permit' | 'offline' | 'authorization' | 'login' | 'redeem'

const all = (outcome: Outcome): Record<Calls, Outcome> => ({
  permit: outcome,
  offline: outcome,
  authorization: outcome,
  login: outcome,
  redeem: outcome,
})
/** Outcomes of a profile that affects typed data only. */
const typed = (outcome: Outcome, more: Partial<Record<Calls, Outcome>> = {}) => ({
  ...all(outcome),
  login: 'works' as const,
  ...more,
})
const silent = { ...all('no response'), login: 'RequestAbortedError', redeem: 'RequestAbortedError' } as const

/** redeemkit's outcome for each profile. Calls that are not listed work. */
const expected: Record<EvmProfileName, Partial<Record<Calls, Outcome>>> = {
  'metamask-rejection-as-internal-error': all('UserRejectedError'),
  'metamask-rejection-in-stack': all('UserRejectedError'),
  'metamask-mobile-rejection-as-empty-object': all('WalletFailedError'),
  'walletconnect-rejection-as-text': all('UserRejectedError'),
  'walletconnect-rejection-as-5002': all('UserRejectedError'),
  'vultisig-rejection-as-one-word': all('UserRejectedError'),
  'rainbow-rejection-as-null': all('InvalidWalletAnswerError'),
  'rabby-rejects-second-prompt': { redeem: 'UserRejectedError' },
  'rabby-rejection-instead-of-signature': all('UserRejectedError'),
  'metamask-locked-is-silent': silent,
  'safepal-silent-at-v4': { ...silent, login: 'works' },
  'bitski-closed-window': { login: 'RequestAbortedError' },
  'safe-approves-on-chain-in-silence': silent,
  'metamask-locked-has-no-accounts': all('WalletNotConnectedError'),
  'metamask-not-authorized': all('WalletNotConnectedError'),
  'metamask-other-request-pending': all('WalletRequestPendingError'),
  'walletconnect-session-gone': all('WalletNotConnectedError'),
  'walletconnect-session-disconnected': all('WalletNotConnectedError'),
  'walletconnect-not-connected': all('WalletNotConnectedError'),
  'metamask-background-gone': all('WalletNotConnectedError'),
  'frame-permission-as-rejection': all('WalletNotConnectedError'),
  'brave-pending-as-rejection': all('WalletRequestPendingError'),
  'ledger-busy': all('WalletRequestPendingError'),
  'rabby-other-account-chosen': all('WalletNotConnectedError'),
  'coinbase-window-blocked': all('WalletFailedError'),
  'metamask-mobile-broken-after-refusals': all('WalletFailedError'),
  'safe-ios-method-disabled': { login: 'WalletFailedError' },
  'trust-unknown-method': typed('WalletFailedError'),
  'trust-gives-up': typed('WalletFailedError'),
  'mobile-browser-method-missing': typed('WalletFailedError'),
  'farcaster-undefined-capabilities': {},
  'metamask-capabilities-fail': {},
  'binance-lower-case-accounts': {},
  'taho-chain-id-as-number': {},
  'walletconnect-stale-chain-id': all('WrongNetworkError'),
  'metamask-mobile-misreads-chain-id': typed('WrongNetworkError'),
  'fireblocks-session-without-chain': typed('WrongNetworkError'),
  'metamask-domain-type-left-out': {},
  'privy-wants-domain-type': {},
  'metamask-strict-chain-id': {},
  'brave-wants-numbers': typed('WalletFailedError'),
  'walletconnect-personal-sign-reversed': { login: 'InvalidAuthSignatureError' },
  'trust-wrong-signature': typed('WrongSignatureError'),
  'ledger-recovery-value': {},
  'hardware-wallet-high-s': {},
  'oisy-without-0x': {},
  'ledger-blind-signing-off': typed('WalletFailedError'),
  'trezor-no-typed-data': typed('WalletFailedError'),
  'safe-answers-0x': { offline: 'InvalidWalletAnswerError', login: 'InvalidWalletAnswerError' },
  'safe-answers-empty-text': all('InvalidWalletAnswerError'),
  'coinbase-long-signature': {},
  'coinbase-not-deployed': {},
  'base-account-wraps-deployed': {},
  // Without a client, the account’s code is not read.
  'kernel-wants-another-hash': {
    ...all('WrongSignatureError'),
    offline: 'works',
    login: 'InvalidAuthSignatureError',
  },
  'ithaca-delegate-wants-another-hash': {
    ...all('WrongSignatureError'),
    offline: 'works',
    login: 'InvalidAuthSignatureError',
  },
}

/** The code at the account's address, and the signatures that it accepts for a digest. Default: no code, and the key's signature. */
type Code = { code: Hex; takes: (digest: Hex, signature: Hex) => Promise<boolean> }

const isByOwner = async (digest: Hex, signature: Hex) =>
  (await recoverAddress({ hash: digest, signature }).catch(() => '')) === customer
const delegated: Hex = `0xef0100${'11'.repeat(20)}`
const accounts: Partial<Record<EvmProfileName, Code>> = {
  'safe-answers-0x': { code: '0x60', takes: async (_, signature) => signature === '0x' },
  'safe-answers-empty-text': { code: '0x60', takes: async () => false },
  'coinbase-long-signature': {
    code: '0x60',
    takes: (digest, signature) => isByOwner(digest, sliceHex(signature, 128, 193)),
  },
  'coinbase-not-deployed': { code: '0x', takes: isByOwner },
  'base-account-wraps-deployed': { code: '0x60', takes: isByOwner },
  'kernel-wants-another-hash': { code: '0x60', takes: async () => false },
  'ithaca-delegate-wants-another-hash': { code: delegated, takes: async () => false },
}

/** Creates a chain with the account. `ecrecover`, ERC-1271 and simulated deployments behave as on a real chain. */
function chainOf(name: EvmProfileName): EvmClient & { state: ReturnType<typeof fakeChain>['state'] } {
  const { code, takes } = accounts[name] ?? { code: '0x', takes: async () => false }
  const permit = honestAnswer({ ...request, salt, orderKey })
  const { state, ...chain } = fakeChain({
    code,
    logs: [redeemedLog({ nonce: permit.nonce as Hex })],
    timestamp: BigInt(nowSeconds),
  })
  const isValid = async (data: string) => {
    const call = data.slice(data.indexOf('1626ba7e') + 8)
    const [digest, length] = [call.slice(0, 64), Number(`0x${call.slice(128, 192)}`)]
    const valid = await takes(`0x${digest}`, `0x${call.slice(192, 192 + 2 * length)}`)
    return valid ? `0x1626ba7e${'00'.repeat(28)}` : '0xffffffff'
  }
  return {
    state,
    request: async (call) => {
      if (call.method !== 'eth_call') return chain.request(call)
      const [{ to, data }] = call.params as [{ to?: string; data: Hex }]
      if (to === undefined || (to === customer && code !== '0x')) return isValid(data)
      if (!/^0x0{39}1$/.test(to)) return chain.request(call)
      const yParity = Number(hexToBigInt(slice(data, 32, 64)) - 27n)
      const [r, s] = [slice(data, 64, 96), slice(data, 96, 128)]
      return pad(await recoverAddress({ hash: slice(data, 0, 32), signature: { r, s, yParity } }))
    },
  }
}

const request = {
  chainId,
  subtotal: { cents: 1000 },
  usdcAmount: { cents: 400 },
  transactionData: token,
  pinned,
}
const domain = { name: 'Credits', version: '1', chainId, verifyingContract: creditsContract }
const terms = { validBefore: BigInt(nowSeconds + 600), nonce: `0x${'fe'.repeat(32)}` } as const
const permit = { customerWallet: customer, creditSeed: 'my-shop', amount: 10_030_000n, ...terms }

/** Bodies that were sent to the service. */
type Sent = unknown[]
type Played = { wallet: FakeWallet; client: ReturnType<typeof chainOf>; signal: AbortSignal; sent: Sent }

const calls: Record<Calls, (played: Played) => Promise<unknown>> = {
  permit: ({ wallet, client }) => signCreditPermit(wallet, { domain, permit, client, now }),
  offline: ({ wallet }) => signCreditPermit(wallet, { domain, permit, now }),
  authorization: ({ wallet, client }) =>
    signUsdcAuthorization(wallet, {
      chainId,
      type: 'ReceiveWithAuthorization',
      authorization: { from: customer, to: creditsContract, value: 4_000_000n, validAfter: 0n, ...terms },
      client,
      now,
    }),
  login: ({ wallet, client, signal, sent }) => {
    const message = createSiweMessage({
      address: customer,
      chainId,
      domain: 'service.test',
      uri: 'http://service.test/api',
      version: '1',
      nonce: 'abcdefgh12345678',
      issuedAt: new Date(now()),
      expirationTime: new Date(now() + 60_000),
    })
    const payments = createPaymentsClient({
      baseUrl: 'http://service.test',
      merchantId: 'shop',
      blockchain: 'base',
      environment: 'sandbox',
      now,
      fetch: async (url, init) => {
        if (!url.endsWith('/api/auth/verify')) return Response.json({ message })
        sent.push(init.headers)
        return Response.json({})
      },
    })
    const adapter = evmAdapter({ signer: wallet, blockchain: 'base', chainId, client })
    return login(payments, { adapter, signal })
  },
  redeem: ({ wallet, client, signal, sent }) => {
    const service = fakeService({
      submit: (body) => {
        sent.push(body)
        client.state.orderState = 1
        return Response.json({ hash })
      },
    })
    return redeem(service.client, {
      ...request,
      random,
      storage: emptyStorage(),
      signer: wallet,
      publicClient: client,
      signal,
      sleep: async () => {},
    })
  },
}

const ofAnotherKey = { kind: 'erc1271', address: customer } as const

/** Creates a wallet, and the chain that contains its account. */
function stage(name: EvmProfileName) {
  const client = chainOf(name)
  const options = { profile: name, chainId, client }
  // Except in this profile, the key owns the account, and the chain returns the account’s code.
  const wallet =
    name === 'kernel-wants-another-hash'
      ? fakeWallet({ ...options, privateKey: `0x${'01'.repeat(32)}`, smartAccount: ofAnotherKey })
      : fakeWallet({ ...options, account })
  return { client, wallet }
}

function expectOutcome(result: unknown, outcome: Outcome): void {
  if (outcome === 'no response') expect(result).toBe(outcome)
  else if (outcome !== 'works') {
    expect(result).toMatchObject({ name: outcome })
    expect(result).toBeInstanceOf(BaseError)
  } else if (result instanceof Error) throw result
  else expect(result).not.toBe('no response')
}

/** Makes a call. If the wallet does not respond, the caller stops waiting after a while, with a signal if the call accepts one. */
async function play(name: EvmProfileName, call: Calls, outcome: Outcome) {
  const { client, wallet } = stage(name)
  const sent: Sent = []
  const signal =
    outcome === 'RequestAbortedError' ? AbortSignal.timeout(patienceMs) : new AbortController().signal
  const done = calls[call]({ wallet, client, signal, sent }).catch((error: unknown) => error)
  const patience = new Promise((resolve) => setTimeout(resolve, patienceMs, 'no response'))
  const result = await (outcome === 'no response' ? Promise.race([done, patience]) : done)
  return { result, wallet, sent }
}

const isSilent = (name: EvmProfileName) => Object.values(expected[name]).includes('no response')

describe.each(evmProfiles)('$wallet: $what', ({ name }) => {
  test.each(Object.keys(calls) as Calls[])('%s', async (call) => {
    const outcome = expected[name][call] ?? 'works'
    const { result, wallet, sent } = await play(name, call, outcome)
    expectOutcome(result, outcome)
    // No prompt is repeated, not even with another method, and no prompt follows a rejection.
    const shown = wallet.prompts.map((prompt) => JSON.stringify(prompt))
    expect(new Set(shown).size).toBe(shown.length)
    expect(wallet.prompts.map(({ method }) => method)).toEqual(
      wallet.prompts.map(() => (call === 'login' ? 'personal_sign' : 'eth_signTypedData_v4')),
    )
    const used = [
      ...['eth_accounts', 'eth_chainId', 'eth_getCode', 'eth_signTypedData_v4', 'personal_sign'],
      ...(call === 'redeem' ? ['wallet_getCapabilities'] : []),
    ]
    expect(wallet.asked.map(({ method }) => method).filter((method) => !used.includes(method))).toEqual([])
    const mostPrompts =
      call === 'redeem' && (outcome === 'works' || name === 'rabby-rejects-second-prompt') ? 2 : 1
    expect(shown.length).toBeLessThanOrEqual(mostPrompts)
    if (call === 'redeem' || call === 'login') expect(sent).toHaveLength(outcome === 'works' ? 1 : 0)
    if (call === 'redeem' && outcome === 'works') await expectGood(name, sent[0] as SendGaslessTxBody) // the submitted body
  })
})

/** Checks with a different library that the service and the contract accept both signatures. */
async function expectGood(name: EvmProfileName, body: SendGaslessTxBody): Promise<void> {
  const { permitCredits, customerUsdcAuthData, customerUsdcAuthDataV2 } = body.signedMessages
  const { message, usdcAuthorization } = honestAnswer({ ...request, salt, orderKey })
  const isKey = !(name in accounts)
  expect(customerUsdcAuthDataV2 === undefined).toBe(isKey)
  const v1 = customerUsdcAuthData
  const usdc =
    customerUsdcAuthDataV2?.signature ?? concatHex([v1?.r ?? '0x', v1?.s ?? '0x', numberToHex(v1?.v ?? 0)])
  for (const [typedData, signature] of [
    [message, permitCredits],
    [usdcAuthorization?.message, usdc],
  ] as const) {
    // viem’s types require known primary types, but these values come from JSON.
    const digest = hashTypedData(typedData as unknown as Parameters<typeof hashTypedData>[0])
    if (isKey) {
      expect(await recoverAddress({ hash: digest, signature })).toBe(customer)
      expect(signature).toMatch(/^0x[\da-f]{64}[0-7][\da-f]{63}1[bc]$/)
    } else {
      const inner = unwrapErc6492(signature)?.signature ?? signature
      expect(await accounts[name]?.takes(digest, inner)).toBe(true)
    }
  }
}

test('the error for a blocked window contains the fix', async () => {
  const { result } = await play('coinbase-window-blocked', 'permit', 'WalletFailedError')
  expect(result).toMatchObject({ fix: expect.stringContaining('directly in a click handler') })
})

describe('a permit signed through a library has the same outcome', () => {
  const answering = evmProfiles.filter(({ name }) => !isSilent(name))
  const sign = async (name: EvmProfileName, open: (wallet: FakeWallet) => Promise<EvmSigner>) => {
    const { client, wallet } = stage(name)
    const signer = await open(wallet)
    const result = await signCreditPermit(signer, { domain, permit, client, now }).catch(
      (error: unknown) => error,
    )
    expect(wallet.prompts.length).toBeLessThanOrEqual(1)
    return result
  }

  test.each(answering)('viem: $name', async ({ name }) => {
    const result = await sign(name, async (wallet) =>
      createWalletClient({ account: customer, transport: custom(wallet) }),
    )
    expectOutcome(result, expected[name].permit ?? 'works')
  })

  /** Different outcomes with ethers 6, which forwards only an error's code, data and message, and passes chain ids as text. */
  const differently: Partial<Record<EvmProfileName, Outcome>> = {
    'metamask-rejection-in-stack': 'WalletFailedError',
    'walletconnect-rejection-as-text': 'WalletFailedError',
    'vultisig-rejection-as-one-word': 'WalletFailedError',
    'metamask-strict-chain-id': 'WrongNetworkError',
  }
  // Without an account, ethers creates no signer.
  const connected = answering.filter(({ name }) => name !== 'metamask-locked-has-no-accounts')
  test.each(connected)('ethers: $name', async ({ name }) => {
    const result = await sign(name, (wallet) => new BrowserProvider(wallet as never).getSigner()) // ethers defines its own provider type
    expectOutcome(result, differently[name] ?? expected[name].permit ?? 'works')
  })
})

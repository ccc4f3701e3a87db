import { type Address, encodeFunctionData, erc20Abi, type Hex, hashMessage } from 'viem'
import { Abis, Account } from 'viem/tempo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPaymentsClient } from '../../src/redeemkit/api/createPaymentsClient.ts'
import { verifyAuthMessage } from '../../src/redeemkit/evm/authMessage/verifyAuthMessage.ts'
import { hashCreditPermit } from '../../src/redeemkit/evm/creditPermit/creditPermit.ts'
import {
  signCreditPermit,
  verifyCreditPermit,
} from '../../src/redeemkit/evm/creditPermit/signCreditPermit.ts'
import { evmAdapter } from '../../src/redeemkit/evm/evmAdapter.ts'
import type { EvmSigner } from '../../src/redeemkit/evm/signer/toSigner.ts'
import { redeem } from '../../src/redeemkit/redeem/redeem.ts'
import { tempoContracts } from '../../src/redeemkit/tempo/network.ts'
import { checkTempoSignature } from '../../src/redeemkit/tempo/signature/checkTempoSignature.ts'
import { tempoSignatures } from '../../src/redeemkit/tempo/signature/tempoSignatures.ts'
import type { WebAuthnExpectation } from '../../src/redeemkit/tempo/signature/webAuthnExpectation.ts'
import type { TempoSigner } from '../../src/redeemkit/tempo/signer/tempoSigner.ts'
import { tempoKeychainSkip } from '../../src/sandbox/chains/tempo/openTempoAnvil.ts'
import { startTempoChain, type TempoChain } from '../../src/sandbox/chains/tempo/startTempoChain.ts'
import { fundedKey } from '../../src/sandbox/chains/tempo/tempoAccounts.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import { createSandbox } from '../../src/sandbox/createSandbox.ts'
import { testCards } from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import type { Sandbox } from '../../src/sandbox/start/sandbox.ts'
import {
  type Caller,
  caller,
  creditsAuthMsgPath,
  customer,
  readCredits,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

let tempo: TempoChain
let sandbox: Sandbox
let service: Caller

beforeAll(async () => {
  tempo = await startTempoChain({ creditSeed: 'shop' })
  sandbox = createSandbox({
    chains: [tempo.service],
    merchants: [{ merchantId: 'shop', apiKey: 'sk_test_shop', settings: withoutProtection }],
  })
  await sandbox.start()
  service = caller(sandbox.app)
})
afterAll(async () => {
  await sandbox?.stop()
  await tempo?.stop()
})

const shop: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const onlyShop = { target: shop, selectorRules: [] }
const request = {
  merchantId: 'shop',
  subtotal: { cents: 150 },
  transactionData: { type: 'token', destination: shop },
} as const
const balance = () =>
  tempo.client.readContract({ address: tempo.token, abi: erc20Abi, functionName: 'balanceOf', args: [shop] })

/** Redeems without redeemkit, as another client would. */
const prepare = (signer: Pick<TempoSigner, 'address' | 'signTypedData'>) =>
  signedBody(service, {
    request: {
      ...request,
      salt: `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`,
    },
    key: signer as Parameters<typeof signedBody>[1]['key'],
    blockchain: 'tempo',
  })

describe('the service redeems on Tempo', () => {
  test.each([['key'], ['p256'], ['passkey']] as const)('%s', async (name) => {
    const person = tempo.accounts[name]
    const before = await balance()
    const body = await prepare(person)
    const answer = await service.post(sendGaslessTxPath, body, customer(person.address, 'tempo'))
    expect(answer).toMatchObject({ status: 200 })
    const hash: Hex = answer.body.hash
    const receipt = await waitForReceipt(tempo.client, hash)
    expect(receipt.status).toBe('success')
    expect((await balance()) - before).toBe(1_500_000n)
    // A resend returns the hash of the transaction that used the nonce.
    const again = await service.post(sendGaslessTxPath, body, customer(person.address, 'tempo'))
    expect(again).toMatchObject({ status: 200, body: { hash } })
  })

  test('credits are minted and burned by jobs', async () => {
    const key = { authorization: 'sk_test_shop' }
    const body = { wallet: shop, blockchain: 'tempo', amount: { cents: 250 } }
    const done = async (path: string) => {
      const { jobId } = (await service.post(`/api/merchant/credits/${path}`, body, key)).body
      const job = async () => (await service.get(`/api/merchant/credits/status/${jobId}`, key)).body
      await expect.poll(job, { timeout: 10_000 }).toMatchObject({ status: 'completed' })
    }
    const before = await balance()
    await done('mint')
    await done('burn')
    expect((await balance()) - before).toBe(2_500_000n)
  })

  test('with one call of the client and a passkey', async () => {
    const { passkey } = tempo.accounts
    const client = createPaymentsClient({
      baseUrl: 'http://tempo.test',
      merchantId: 'shop',
      blockchain: 'tempo',
      fetch: async (input, init) => sandbox.app.request(String(input), init),
    })
    const before = await balance()
    const outcome = await redeem(client, {
      signer: passkey as EvmSigner,
      publicClient: tempo.client,
      chainId: 42431,
      subtotal: { cents: 150 },
      transactionData: { type: 'token', destination: shop },
      pinned: { creditsContract: tempo.creditsContract, creditSeed: 'shop' },
    })
    expect(outcome.hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect((await balance()) - before).toBe(1_500_000n)
  })

  test('for an account of another library, after it received credits', async () => {
    const account = Account.fromHeadlessWebAuthn(`0x${'ab'.repeat(32)}`, {
      rpId: 'shop.example',
      origin: 'https://shop.example',
    })
    const body = await prepare(account as unknown as TempoSigner)
    const answer = await service.post(sendGaslessTxPath, body, customer(account.address, 'tempo'))
    expect(answer).toMatchObject({ status: 412, body: { code: 'INSUFFICIENT_CREDITS' } })
  })

  test.each([['key'], ['p256'], ['passkey'], ['accessKey']] as const)('%s signs in', async (name) => {
    const person = tempo.accounts[name]
    const headers = customer(person.address, 'tempo')
    const { status, body } = await service.get('/api/auth', headers)
    expect(status).toBe(200)
    const verify = (signedMessage: string) =>
      service.get('/api/auth/verify', { ...headers, 'x-svc-auth-signed-message': signedMessage })
    const stranger = name === 'p256' ? tempo.accounts.passkey : tempo.accounts.p256
    expect(await verify(await stranger.signMessage({ message: body.message }))).toMatchObject({ status: 401 })
    const signature = await person.signMessage({ message: body.message })
    expect(await verify(signature)).toMatchObject({ status: 200 })
    const adapter = evmAdapter({
      signer: person as EvmSigner,
      blockchain: 'tempo',
      chainId: 42431,
      client: tempo.client,
      signatures: tempoSignatures(),
    })
    expect(await adapter.verifyAuthMessage(body, { signedMessage: signature })).toBe(true)
    const other = await stranger.signMessage({ message: body.message })
    expect(await adapter.verifyAuthMessage(body, { signedMessage: other })).toBe(false)
  })

  test('refuses another passkey’s signature, a shortened one and a changed one', async () => {
    const { p256, passkey } = tempo.accounts
    const body = await prepare({ address: p256.address, signTypedData: passkey.signTypedData })
    const send = (permitCredits: string) =>
      service.post(
        sendGaslessTxPath,
        { ...body, signedMessages: { ...body.signedMessages, permitCredits } },
        customer(p256.address, 'tempo'),
      )
    const { permitCredits } = body.signedMessages
    for (const spoilt of [
      permitCredits,
      permitCredits.slice(0, -2),
      `${permitCredits}00`,
      '0x',
      `0x${'11'.repeat(65)}`,
    ])
      expect(await send(spoilt)).toMatchObject({
        status: expect.toSatisfy((status) => status === 412 || status === 400),
      })
    const good = await prepare(p256)
    const bytes = good.signedMessages.permitCredits
    const changed = `${bytes.slice(0, 60)}${bytes[60] === '0' ? '1' : '0'}${bytes.slice(61)}`
    const answer = await service.post(
      sendGaslessTxPath,
      { ...good, signedMessages: { ...good.signedMessages, permitCredits: changed } },
      customer(p256.address, 'tempo'),
    )
    expect(answer).toMatchObject({ status: 412, body: { code: 'INVALID_PERMIT' } })
  })

  test('an access key', async (context) => {
    const { accessKey } = tempo.accounts
    const body = await prepare(accessKey)
    const answer = await service.post(sendGaslessTxPath, body, customer(accessKey.address, 'tempo'))
    // The service accepts the envelope, but the local chain's precompile cannot verify it.
    if (answer.status !== 200) {
      const { code, message } = answer.body
      expect([answer.status, code]).toEqual([412, 'INVALID_PERMIT'])
      expect(message).toContain('before hardfork T6')
      return context.skip(tempoKeychainSkip)
    }
  })

  describe('access keys with limits', () => {
    const permit = {
      creditSeed: 'shop',
      amount: 1_000_000n,
      validBefore: BigInt(Math.floor(Date.now() / 1000)) + 600n,
      nonce: `0x${'b9'.repeat(32)}`,
    } as const
    const nothingMore = { enforceLimits: false, limits: [], allowAnyCalls: true, allowedCalls: [] }

    test.each([
      ['neither', 'a1', {}, undefined],
      ['a spending limit', 'a2', { enforceLimits: true }, 'ACCESS_KEY_LIMITED'],
      ['a call scope', 'a3', { allowAnyCalls: false, allowedCalls: [onlyShop] }, 'ACCESS_KEY_LIMITED'],
      ['no call at all', 'a4', { allowAnyCalls: false }, 'ACCESS_KEY_LIMITED'],
    ] as const)('%s', async (_, secret, change, problem) => {
      const { client, domain, accounts } = tempo
      const { address } = accounts.key
      const access = Account.fromP256(`0x${secret.repeat(32)}`, {
        access: Account.fromSecp256k1(fundedKey(5)),
      })
      const { timestamp } = await client.getBlock()
      const config = { expiry: timestamp + 3600n, ...nothingMore, ...change }
      const data = encodeFunctionData({
        abi: Abis.accountKeychain,
        functionName: 'authorizeKey',
        args: [access.accessKeyAddress, 1, config],
      })
      await tempo.send(accounts.key, { to: tempoContracts.accountKeychain, data })

      const options = { domain, permit: { ...permit, customerWallet: address }, client }
      const good = problem === undefined
      const digest = hashCreditPermit(options)
      const signature = await access.sign({ hash: digest })
      const check = await checkTempoSignature({ account: address, digest, signature, client })
      expect(check).toMatchObject(good ? { valid: true } : { valid: false, problem })
      expect(await verifyCreditPermit({ ...options, signature, signatures: tempoSignatures() })).toBe(good)
      // viem's Tempo account works at run time, but redeemkit's type lacks some of its fields, such as `source`.
      const signer = access as unknown as EvmSigner
      const signed = signCreditPermit(signer, { ...options, signatures: tempoSignatures() })
      if (good) expect(await signed).toBe(signature)
      else
        await expect(signed).rejects.toMatchObject({
          name: 'WrongSignatureError',
          message: expect.stringContaining('limited the access key'),
        })
      const message = 'hello'
      const answer = await access.sign({ hash: hashMessage(message) })
      const auth = { message, address, chainId: 42431, signature: answer, client }
      expect(await verifyAuthMessage({ ...auth, signatures: tempoSignatures() })).toBe(good)
    })
  })

  describe('a payment by card settles on Tempo', () => {
    const key = { authorization: 'sk_test_shop' }
    const buy = async (wallet: Address, carried: object) => {
      const user = { 'x-svc-auth-user-id': 'alice', ...customer(wallet, 'tempo') }
      const session = await service.get('/api/auth/session-key', { ...key, ...user })
      const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
      const cardToken = (await service.post('/api/tokenize', card, key)).body.token
      return service.post(
        '/api/checkout/card/shop',
        { subtotal: { cents: 150 }, card: { cardToken }, ...carried },
        { ...user, 'x-svc-auth-session-key': session.body.key },
      )
    }
    const settled = async ({ body }: Awaited<ReturnType<typeof buy>>) => {
      const read = async () => (await service.get(`/api/merchant/payments/${body.paymentId}`, key)).body
      await expect.poll(async () => (await read()).status, { timeout: 15_000 }).not.toBe('authorized')
      expect(await read()).toMatchObject({ status: 'settled', hash: expect.stringMatching(/^0x/) })
    }

    test('transactionData', async () => {
      const before = await balance()
      await settled(await buy(tempo.accounts.key.address, { transactionData: request.transactionData }))
      expect((await balance()) - before).toBe(1_500_000n)
    })

    test('credits, to a passkey', async () => {
      const { address } = tempo.accounts.passkey
      const credits = () => readCredits({ ...tempo, rpcUrl: tempo.url }, 'shop', address)
      const before = await credits()
      await settled(await buy(address, { settlementType: 'Credits' }))
      expect((await credits()) - before).toBe(1_500_000n)
    })

    test('a USDC part is refused before any money moves: no token there supports authorizations', async () => {
      const { address } = tempo.accounts.key
      const customerUsdcTransferDataV2 = {
        from: address,
        to: tempo.service.paymentSettlement,
        value: '1000000',
        validAfter: 0,
        validBefore: '4000000000',
        nonce: `0x${'22'.repeat(32)}`,
        signature: `0x${'33'.repeat(65)}`,
      }
      const answer = await buy(address, { customerUsdcTransferDataV2 })
      expect(answer).toMatchObject({ status: 400, body: { issues: ['customerUsdcTransferDataV2'] } })
    })
  })

  test("the customer's USDC is refused with the reason, before anything is signed", async () => {
    const { passkey } = tempo.accounts
    const answer = await service.post(
      creditsAuthMsgPath,
      { ...request, usdcAmount: { cents: 50 } },
      customer(passkey.address, 'tempo'),
    )
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/USDC/) } })
  })

  test('the offline check accepts the service’s typed data', async () => {
    const { passkey } = tempo.accounts
    const { status, body } = await service.post(
      creditsAuthMsgPath,
      request,
      customer(passkey.address, 'tempo'),
    )
    expect(status).toBe(200)
    const { domain, message } = JSON.parse(body.message)
    const permit = { ...message, amount: BigInt(message.amount), validBefore: BigInt(message.validBefore) }
    const signature = await passkey.sign({ hash: hashCreditPermit({ domain, permit }) })
    const check = (webAuthn?: WebAuthnExpectation) =>
      verifyCreditPermit({ domain, permit, signature, signatures: tempoSignatures({ webAuthn }) })
    expect(await check()).toBe(true)
    expect(await check({ rpId: 'shop.example', origins: ['https://shop.example'] })).toBe(true)
    expect(await check({ rpId: 'other.example' })).toBe(false)
  })
})

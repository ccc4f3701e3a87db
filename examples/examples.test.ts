import { readFile } from 'node:fs/promises'
import { type RunningSandbox, startSandbox, testCards } from '@redeemkit/sandbox'
import { Connection, Keypair } from '@solana/web3.js'
import { rpc, Keypair as StellarKeypair } from '@stellar/stellar-sdk'
import { type cardCheckout, createPaymentsClient } from 'redeemkit'
import type { EvmSigner } from 'redeemkit/evm'
import { createMerchantClient } from 'redeemkit/merchant'
import { createPublicClient, http, keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { normalMerchantAbi, normalMerchantBytecode } from '../contracts/generated/merchants.ts'
import { softwarePasskey } from '../src/sandbox/chains/tempo/tempoAccounts.ts'
import { type DemoSandbox, startDemoSandbox } from '../src/sandbox/cli/demo/demoSandbox.ts'
import { anvil } from '../test/service/sandboxClient.ts'
import { emptyDatabase } from '../test/setup/emptyDatabase.ts'
import { explain } from './inspect-before-signing.ts'
import { merchantServer } from './merchant-server/index.ts'
import { openOrderBook } from './merchant-server/orderBook.ts'
import { payOnSolana } from './pay-usdc-on-solana.ts'
import { payOnStellar } from './pay-usdc-on-stellar.ts'
import { readTransactionData } from './read-a-record.ts'
import { payAtAnotherService } from './redeem-at-another-service.ts'
import { payTenDollars } from './redeem-in-one-call.ts'
import { tryContract } from './redeem-on-your-machine.ts'
import { buyNft } from './redeem-step-by-step.ts'
import { redeemWithPasskey } from './redeem-with-a-passkey.ts'
import { customerClient, sellCredits } from './sell-credits.ts'
import { signIn } from './sign-in.ts'
import { payInPortuguese } from './user-messages.ts'

describe('the examples run', () => {
  let stage: DemoSandbox
  beforeAll(async () => {
    stage = await startDemoSandbox(() => {})
  })
  afterAll(() => stage?.stop())

  test('redeem in one call', async () => {
    const { sandbox, home } = stage
    const outcome = await payTenDollars({
      orderId: 'order 1',
      baseUrl: sandbox.url,
      signer: sandbox.accounts.alice.account,
      publicClient: home.client,
      pinned: home.pinned,
      shop: sandbox.accounts.bob.address,
    })
    expect(outcome).toMatchObject({ kind: 'token', amount: 10_000_000n, usdcAmount: 4_000_000n })
  })

  test('redeem at a service whose permits have random nonces', async () => {
    const other = await startSandbox({ service: 'randomNonce', bridge: false, headerPrefix: 'x-other-' })
    try {
      const { base } = other.chains
      if (base === undefined) throw new Error('The sandbox does not run Base.')
      const kept = new Map<string, string>()
      const outcome = await payAtAnotherService({
        baseUrl: `${other.url}/api`,
        headerPrefix: 'x-other-',
        merchantId: other.merchantId,
        signer: other.accounts.alice.account,
        publicClient: createPublicClient({ transport: http(base.rpcUrl) }),
        creditsContract: base.creditsContract,
        domainName: 'Credits',
        creditSeed: other.creditSeed,
        shop: other.accounts.bob.address,
        orderId: 'order 1',
        storage: {
          getItem: (key) => kept.get(key) ?? null,
          setItem: (key, value) => kept.set(key, value),
          removeItem: (key) => kept.delete(key),
          replaceItem: (key, expected, value) => {
            if ((kept.get(key) ?? null) !== expected) return false
            if (value === null) kept.delete(key)
            else kept.set(key, value)
            return true
          },
        },
      })
      expect(outcome).toMatchObject({
        intentBound: false,
        carriesPermit: true,
        movements: [{ direction: 'paid', to: other.accounts.bob.address, amount: 10_000_000n }],
      })
    } finally {
      await other.stop()
    }
  })

  test('redeem step by step, with a reload between the steps', async () => {
    const { sandbox, home, merchants } = stage
    const kept = new Map<string, string>()
    const outcome = await buyNft({
      baseUrl: sandbox.url,
      wallet: sandbox.accounts.alice.address,
      signer: sandbox.accounts.alice.account,
      publicClient: home.client,
      pinned: home.pinned,
      shop: merchants.safeMint,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => {
          kept.set(key, value)
        },
      },
    })
    expect('kind' in outcome && outcome.kind).toBe('safeMint')
    expect(outcome.movements).toContainEqual(
      expect.objectContaining({ standard: 'ERC-721', direction: 'in', contract: merchants.safeMint }),
    )
  })

  test('user messages of a payment and of a rejected request', async () => {
    const { sandbox, home } = stage
    const { alice, bob } = sandbox.accounts
    const client = createPaymentsClient({
      baseUrl: sandbox.url,
      merchantId: sandbox.merchantId,
      blockchain: 'base',
      environment: 'sandbox',
    })
    const said: string[] = []
    const pay = (signer: EvmSigner) =>
      payInPortuguese(client, {
        wallet: alice.address,
        signer,
        publicClient: home.client,
        pinned: home.pinned,
        shop: bob.address,
        say: (text) => said.push(text),
      })
    await pay(alice.account)
    // A page's wallet (EIP-1193) whose user rejects every request.
    await pay({
      request: async ({ method }: { method: string }) => {
        if (/accounts$/i.test(method)) return [alice.address]
        if (method === 'eth_chainId') return '0x14a34'
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
      },
    })
    const before = `Você envia US$\u00a010,00 para ${bob.address} na rede Base Sepolia. Dos seus créditos: US$\u00a010,00,`
    expect(said).toEqual([
      expect.stringContaining(before),
      'Pago.',
      expect.stringContaining(before),
      'Você recusou a solicitação na sua carteira. Nada foi cobrado.',
    ])
  })

  describe('sell credits', () => {
    const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
      (
        await fetch(`${stage.sandbox.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        })
      ).json()
    const merchant = () => ({ authorization: stage.sandbox.apiKey })
    const sell = (by: Parameters<typeof sellCredits>[0]['by'], orderId: string) =>
      sellCredits({
        client: customerClient({
          baseUrl: stage.sandbox.url,
          sessionKey: async () => {
            const headers = { ...merchant(), 'x-svc-auth-user-id': 'customer 1' }
            const answer = await fetch(`${stage.sandbox.url}/api/auth/session-key`, { headers })
            return (await answer.json()).key
          },
          userId: 'customer 1',
          wallet: stage.sandbox.accounts.bob.address,
          deviceId: 'a phone',
        }),
        orderId,
        by,
        confirm: async (cents) => cents !== undefined && cents >= 1000,
        // Approves the challenge, as the customer does on its page.
        showChallenge: async ({ url }) => {
          await fetch(url ?? '', { method: 'POST', body: new URLSearchParams({ answer: 'approve' }) })
        },
      })

    test('by card, with a 3DS challenge', async () => {
      const card = { ...testCards.challenge, expMonth: '12', expYear: '40' }
      const { token: cardToken } = await post('/api/tokenize', card, merchant())
      expect(await sell({ cardToken }, 'order 1')).toMatchObject({ paymentId: expect.any(String) })
    })

    describe('with the checkout JWT of the documentation', () => {
      /** Returns the order that the example prints, and the fields that the page's JWT pins. */
      const documented = async () => {
        const code = await readFile(new URL('sell-credits.ts', import.meta.url), 'utf8')
        const page = await readFile(new URL('../docs/pages/dapp/cards.md', import.meta.url), 'utf8')
        const order = /const order = (\{.*?\n {2}\}) satisfies/s.exec(code)?.[1]
        const pinned = /`createCheckoutJwt\(\{ body: \{ (.*?) \} \}\)`/.exec(page)?.[1]?.split(', ')
        if (order === undefined || pinned === undefined) throw new Error('The documentation has changed.')
        const body = new Function('options', `return ${order}`)({ orderId: 'order 4' })
        const values = { ...body, purchaseId: 'order 4' }
        return { body, jwt: Object.fromEntries(pinned.map((name) => [name, values[name]])) }
      }
      const pay = async (jwtBody: object, body: Partial<cardCheckout.Body>) => {
        const { url: baseUrl, merchantId, apiKey, accounts } = stage.sandbox
        const where = { wallet: accounts.bob.address, blockchain: 'base' } as const
        const shop = createMerchantClient({ baseUrl, merchantId, apiKey })
        const { checkoutJwtToken: jwtToken } = await post('/api/checkout/jwt-token', jwtBody, merchant())
        const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
        const { token: cardToken } = await shop.tokenizeCard({ body: card })
        const { key: sessionKey } = await shop.getSessionKey({ userId: 'customer 1', ...where })
        const checkout = { subtotal: { cents: 1000 }, ...body, jwtToken, card: { cardToken } }
        return shop.cardCheckout({ sessionKey, deviceId: 'a phone', body: checkout })
      }

      test('the JWT matches the order, even if one of them omits the currency', async () => {
        const { body, jwt } = await documented()
        expect(Object.values(jwt)).not.toContain(undefined)
        const paid = await pay(jwt, body)
        const subtotal = { cents: 1000 }
        // The same order, which is paid only once.
        for (const [pinned, sent] of [
          [{ ...jwt, subtotal }, body],
          [jwt, { ...body, subtotal }],
        ] as const)
          expect((await pay(pinned, sent)).paymentId).toBe(paid.paymentId)
      })

      test("a different settlement is refused with the field's name, not as an invalid credential", async () => {
        const { body, jwt } = await documented()
        await expect(pay({ ...jwt, settlementType: 'USDC' }, body)).rejects.toMatchObject({
          status: 403,
          issues: ['settlementType'],
          message: expect.stringContaining('settlementType differs from the value in the checkout JWT'),
          fix: expect.not.stringMatching(/credential|operator/i),
        })
      })
    })

    test('by wire', async () => {
      const account = { routingNumber: '021000021', accountNumber: '123456789' }
      const { token: wireAccount } = await post('/sandbox/wire-accounts', account, merchant())
      expect(await sell({ wireAccount }, 'order 2')).toMatchObject({ memo: expect.any(String) })
    })

    test('by Pix', async () => {
      const sold = await sell({ pixEmail: 'customer@shop.example' }, 'order 3')
      expect(sold).toMatchObject({ brCode: expect.stringMatching(/^000201/) })
    })
  })

  test('sign in', async () => {
    const { sandbox } = stage
    const credential = await signIn({ baseUrl: sandbox.url, signer: sandbox.accounts.alice.account })
    expect(credential).toMatchObject({ wallet: sandbox.accounts.alice.address, blockchain: 'base' })
  })

  test('inspect before signing', () => {
    const account = stage.sandbox.accounts.alice.address
    const approval = {
      domain: { name: 'USDC', version: '2', chainId: 84532, verifyingContract: stage.home.usdc },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'verifyingContract', type: 'address' },
        ],
        TransferWithAuthorization: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'validAfter', type: 'uint256' },
          { name: 'validBefore', type: 'uint256' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'TransferWithAuthorization',
      message: {
        from: account,
        to: stage.sandbox.accounts.bob.address,
        value: '250000000',
        validAfter: '0',
        validBefore: '1900000000',
        nonce: `0x${'11'.repeat(32)}`,
      },
    }
    const request = { method: 'eth_signTypedData_v4', params: [account, JSON.stringify(approval)] }
    const [address, stranger] = [account, stage.sandbox.accounts.bob.address]
    const now = () => 1_899_999_000_000
    const unseen = explain(request, { address, chainId: 84532, now })
    expect(unseen.title).toContain('Sends 250.00 USDC')
    expect(unseen.lines).toContain(`Receiver: ${stranger}`)
    expect(unseen.findings.length).toBeGreaterThan(0)
    expect(unseen.actions[0]).toBe('decline')
    expect(explain(request, { address: stranger, chainId: 84532, now }).actions).toEqual(['decline'])
  })

  test('read a record', () => {
    const token = { type: 'token', destination: stage.sandbox.accounts.bob.address }
    expect(readTransactionData(token)).toEqual({ transactionData: token })
    expect(readTransactionData({ ...token, value: '1' })).toMatchObject({ field: 'value' })
  })

  test('a merchant’s server', async () => {
    const { sandbox } = stage
    const { merchantId } = sandbox
    const database = await emptyDatabase()
    const orders = await openOrderBook({ database, merchantId, accepted: [], refundFrom: 1_000_000n })
    const cap = { userId: 'alice', item: 'cap', amount: 25_000_000n, settlementType: 'USDC' } as const
    const { id: orderId } = await orders.draw(cap)
    const { calls, merchant } = merchantServer({
      baseUrl: sandbox.url,
      merchantId,
      apiKey: sandbox.apiKey,
      webhookSecret: 'whsec_of_the_shop',
      userOf: async (request) =>
        request.headers.get('cookie') === 'session=1' ? { id: 'alice' } : undefined,
      walletOf: async () => sandbox.accounts.alice.address,
      orders,
      fulfil: async () => {},
      onError: () => {},
    })
    const ask = async (call: string, body?: object) => {
      const headers = { cookie: 'session=1', 'content-type': 'application/json', 'x-device-id': 'a phone' }
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
      return (await calls(new Request(`https://shop.example/api/redeemkit/${call}`, init))).json()
    }
    const { key: sessionKey } = await ask('getSessionKey')
    const { checkoutJwtToken: jwtToken } = await ask('createCheckoutJwt', { orderId })
    const { token: cardToken } = await merchant.tokenizeCard({
      body: { ...testCards.approved, expMonth: '12', expYear: '2039' },
    })
    const pay = (cents: number) => {
      const subtotal = { cents, currency: 'USD' } as const
      const body = { subtotal, jwtToken, card: { cardToken } }
      return merchant.cardCheckout({ sessionKey, deviceId: 'a phone', body })
    }
    await expect(pay(1)).rejects.toMatchObject({ status: 403 })
    const { paymentId } = await pay(2500)
    const payment = await ask(`getPayment?paymentId=${paymentId}`)
    expect(payment).toMatchObject({ settlementType: 'USDC', webhookInfo: { orderId } })
    expect((await ask('getPurchases')).purchases).toMatchObject([{ paymentId }])
    expect(await ask('mobileAppCheckout', { orderId })).toMatchObject({ appLink: expect.any(String) })
    await orders.close()
  })

  test('redeem on your machine', async () => {
    const outcome = await tryContract((rpcUrl, usdc) =>
      anvil(rpcUrl).deploy(normalMerchantAbi, normalMerchantBytecode, [usdc]),
    )
    expect(outcome).toMatchObject({ kind: 'normal', charged: expect.any(BigInt) })
  })

  describe('on the other chains', () => {
    let others: RunningSandbox
    beforeAll(async () => {
      others = await startSandbox({ blockchains: ['base', 'solana', 'stellar', 'tempo'], bridge: false })
    })
    afterAll(() => others?.stop())

    test('pay USDC on Solana', async () => {
      const { solana } = others
      if (solana === undefined) throw new Error('Solana was not started.')
      const { alice, bob } = solana.accounts
      const sponsor = Keypair.generate()
      const connection = new Connection(solana.rpcUrl, 'confirmed')
      await connection.requestAirdrop(sponsor.publicKey, 1_000_000_000)
      await payOnSolana({
        connection,
        customer: alice,
        sponsor,
        addresses: { customer: alice.address, sponsor: sponsor.publicKey.toBase58(), shop: bob.address },
      })
      expect(solana.usdcOf(bob.address)).toBe(1_001_500_000n)
      expect(solana.solOf(alice.address)).toBe(0n)
    })

    test('pay USDC on Stellar', async () => {
      const { stellar } = others
      if (stellar === undefined) throw new Error('Stellar was not started.')
      const { alice, bob } = stellar.accounts
      const sponsor = StellarKeypair.random()
      const client = new rpc.Server(stellar.rpcUrl, { allowHttp: true })
      await client.requestAirdrop(sponsor.publicKey())
      const { status } = await payOnStellar({
        client,
        customer: StellarKeypair.fromSecret(alice.secretKey),
        sponsor,
        addresses: { customer: alice.address, sponsor: sponsor.publicKey(), shop: bob.address },
      })
      expect(status).toBe('SUCCESS')
      expect(stellar.balanceOf(bob.address)).toEqual({ xlm: 0n, usdc: 10_015_000_000n })
      expect(stellar.balanceOf(alice.address).xlm).toBe(0n)
    })

    test('redeem with a passkey', async () => {
      const { tempo } = others
      if (tempo === undefined) throw new Error('Tempo was not started.')
      const { outcome } = await redeemWithPasskey({
        baseUrl: others.url,
        // The sandbox's own passkey, in software.
        passkey: softwarePasskey({
          privateKey: keccak256(stringToHex('redeemkit sandbox tempo passkey')),
          rpId: 'shop.example',
          origin: 'https://shop.example',
        }),
        publicClient: createPublicClient({ transport: http(tempo.rpcUrl) }),
        pinned: tempo.pinned,
        shop: others.accounts.bob.address,
      })
      expect(outcome).toMatchObject({
        wallet: tempo.accounts.passkey.address,
        kind: 'token',
        amount: 10_000_000n,
      })
    })
  })
})

import { Keypair } from '@stellar/stellar-sdk'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPaymentsClient } from '../../src/redeemkit/api/createPaymentsClient.ts'
import { verifyAuth } from '../../src/redeemkit/api/endpoints/auth.ts'
import { login } from '../../src/redeemkit/auth/login.ts'
import type { ChainAdapter } from '../../src/redeemkit/core/chainAdapter.ts'
import { evmAdapter } from '../../src/redeemkit/evm/evmAdapter.ts'
import type { EvmSigner } from '../../src/redeemkit/evm/signer/toSigner.ts'
import { redeem } from '../../src/redeemkit/redeem/redeem.ts'
import { freeObject } from '../../src/redeemkit/schema/values.ts'
import { signUsdcTransfer, solanaAdapter } from '../../src/redeemkit/solana/index.ts'
import { signTransaction, stellarAdapter } from '../../src/redeemkit/stellar/index.ts'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/index.ts'
import type { ServiceKind } from '../../src/sandbox/serviceKind.ts'

let running: Required<RunningSandbox<ServiceKind>>

const clientFor = (blockchain: ChainAdapter['blockchain']) =>
  createPaymentsClient({ baseUrl: running.url, merchantId: running.merchantId, blockchain })
const tempoClient = () => createPublicClient({ transport: http(running.tempo.rpcUrl), pollingInterval: 25 })
const onTempo = (signer: object) =>
  evmAdapter({ signer: signer as EvmSigner, blockchain: 'tempo', chainId: 42431, client: tempoClient() }) // Used as a viem account.

const adapters: Record<string, () => ChainAdapter> = {
  'base, key': () =>
    evmAdapter({ signer: running.accounts.alice.account, blockchain: 'base', environment: 'sandbox' }),
  'tempo, key': () => onTempo(running.tempo.accounts.key),
  'tempo, P-256': () => onTempo(running.tempo.accounts.p256),
  'tempo, passkey': () => onTempo(running.tempo.accounts.passkey),
  'tempo, access key': () => onTempo(running.tempo.accounts.accessKey),
  'solana, message': () =>
    solanaAdapter({ signer: running.solana.accounts.alice, environment: 'sandbox', use: 'message' }),
  'solana, transaction': () =>
    solanaAdapter({ signer: running.solana.accounts.alice, environment: 'sandbox', use: 'transaction' }),
  'stellar, message': () => onStellar('message'),
  'stellar, transaction': () => onStellar('transaction'),
}
const onStellar = (via: 'message' | 'transaction') =>
  stellarAdapter({
    signer: Keypair.fromSecret(running.stellar.accounts.alice.secretKey),
    environment: 'sandbox',
    via,
  })
const strangers: Record<string, () => string> = {
  base: () => running.accounts.bob.address,
  tempo: () => running.accounts.bob.address,
  solana: () => running.solana.accounts.bob.address,
  stellar: () => running.stellar.accounts.bob.address,
}

/** Both kinds of services: intent-bound and random nonces. */
describe.each(['intentBound', 'randomNonce'] as const)('with the service kind %s', (service) => {
  beforeAll(async () => {
    const started = await startSandbox({
      blockchains: ['base', 'solana', 'stellar', 'tempo'],
      bridge: false,
      requireSignIn: true,
      service,
    })
    if (!started.solana || !started.stellar || !started.tempo) throw new Error('not all were started')
    const { solana, stellar, tempo } = started
    running = { ...started, solana, stellar, tempo }
  })
  afterAll(() => running?.stop())

  test('the client that signed in pays USDC on both chains; without a sign-in, it gets a 401', async () => {
    const { solana, stellar } = running
    const pay = async (
      blockchain: 'solana' | 'stellar',
      adapter: ChainAdapter,
      payment: { from: string; to: string; sign: (answer: Record<string, unknown>) => Promise<string> },
    ) => {
      const client = clientFor(blockchain).with({ wallet: payment.from })
      const post = (path: string, body: object) =>
        client.request({ method: 'POST', path, body, answer: freeObject, repeatable: false })
      const body = { blockchain, destination: payment.to, amount: { cents: 150 }, paymentId: 'order-1' }
      await expect(post('/sandbox/usdc-transfer', body)).rejects.toMatchObject({ status: 401 })
      await login(client, { adapter })
      const answer = await post('/sandbox/usdc-transfer', body)
      const transaction = await payment.sign(answer)
      const { hash } = await post('/sandbox/usdc-transfer/submit', { id: answer.id, transaction })
      expect(hash).toEqual(expect.any(String))
    }
    const { alice, bob } = solana.accounts
    await pay('solana', solanaAdapter({ signer: alice, environment: 'sandbox' }), {
      from: alice.address,
      to: bob.address,
      sign: async ({ transaction }) => {
        const expected = {
          environment: 'sandbox',
          from: alice.address,
          to: bob.address,
          amount: 1_500_000n,
          paymentId: 'order-1',
        } as const
        return (await signUsdcTransfer(alice, { transaction: String(transaction), expected })).transaction
      },
    })
    expect(solana.usdcOf(bob.address)).toBe(1_001_500_000n)
    expect(solana.solOf(alice.address)).toBe(0n)
    const customer = Keypair.fromSecret(stellar.accounts.alice.secretKey)
    const to = stellar.accounts.bob.address
    await pay('stellar', onStellar('message'), {
      from: customer.publicKey(),
      to,
      sign: ({ transaction, sponsor }) =>
        signTransaction(customer, {
          environment: 'sandbox',
          transaction: String(transaction),
          expected: {
            kind: 'payment',
            from: customer.publicKey(),
            to,
            amount: 15_000_000n,
            memo: 'order-1',
            sponsor: String(sponsor),
          },
        }),
    })
    expect(stellar.balanceOf(to).usdc).toBe(10_015_000_000n)
    expect(stellar.balanceOf(customer.publicKey()).xlm).toBe(0n)
  })

  test('Tempo is a chain of the service: it has credits with a passkey, but no USDC', async () => {
    const { tempo } = running
    const adapter = onTempo(tempo.accounts.passkey)
    const client = clientFor('tempo').with({ wallet: tempo.accounts.passkey.address })
    await login(client, { adapter })
    const request = {
      signer: tempo.accounts.passkey as EvmSigner, // Used as a viem account.
      publicClient: tempoClient(),
      pollingIntervalMs: 25,
      chainId: tempo.chainId,
      pinned: tempo.pinned,
      subtotal: { cents: 150 },
      transactionData: { type: 'token', destination: running.accounts.bob.address } as const,
    }
    const { hash, outcome } = await redeem(client, request)
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(outcome).toMatchObject(
      service === 'intentBound' ? { usdcAmount: 0n } : { intentBound: false, carriesPermit: true },
    )
    await expect(redeem(client, { ...request, usdcAmount: { cents: 50 } })).rejects.toMatchObject({
      name: 'NoUsdcAuthorizationError',
    })
    await expect(
      client.request({
        method: 'POST',
        path: '/api/redeem/evm/creditsAuthMsg',
        body: {
          merchantId: running.merchantId,
          subtotal: { cents: 150 },
          transactionData: request.transactionData,
          usdcAmount: { cents: 50 },
        },
        answer: freeObject,
        repeatable: false,
      }),
    ).rejects.toMatchObject({ status: 400, shortMessage: expect.stringMatching(/USDC/) })
  })

  // The kind changes nothing about these.
  if (service === 'randomNonce') return

  describe('login with the real client', () => {
    test.each(Object.keys(adapters))('%s', async (name) => {
      const adapter = adapters[name]?.()
      if (adapter === undefined) throw new Error(name)
      const client = clientFor(adapter.blockchain)
      const { wallet, signedMessage } = await login(client, { adapter })
      await verifyAuth(client, { wallet, signedMessage })
      const stranger = strangers[adapter.blockchain]?.() ?? ''
      await expect(verifyAuth(client, { wallet: stranger, signedMessage })).rejects.toMatchObject({
        status: 401,
      })
      const spoilt = `${signedMessage.slice(0, 40)}${signedMessage[40] === '2' ? '3' : '2'}${signedMessage.slice(41)}`
      await expect(verifyAuth(client, { wallet, signedMessage: spoilt })).rejects.toMatchObject({
        status: 401,
      })
    })

    test('a sign-in message for another site is refused before the wallet is prompted', async () => {
      for (const name of Object.keys(adapters)) {
        const adapter = adapters[name]?.()
        if (adapter === undefined) throw new Error(name)
        await expect(
          login(clientFor(adapter.blockchain), { adapter, domains: ['shop.example'] }),
          name,
        ).rejects.toThrow(/shop\.example|domain/i)
      }
    })
  })

  test('has the same test accounts on every machine, and removes everything after stop', async () => {
    const other = await startSandbox({ blockchains: ['solana', 'stellar'] })
    const urls = [other.url, other.solana?.rpcUrl, other.stellar?.rpcUrl].map(String)
    expect(other.chains).toEqual({})
    expect(other.tempo).toBeUndefined()
    expect(other.solana?.accounts.alice.address).toBe(running.solana.accounts.alice.address)
    expect(other.stellar?.accounts.alice).toEqual(running.stellar.accounts.alice)
    for (const url of urls) expect((await fetch(url)).status).toBeGreaterThan(0)
    await other.stop()
    for (const url of urls) await expect(fetch(url)).rejects.toThrow()
  })
})

test.each([
  [{ blockchains: ['solana'], environment: 'prod' }, /only in environment "sandbox"/],
  [{ blockchains: ['base', 'mars'] }, /mars/],
] as const)('refuses the options %j', async (options, text) => {
  // One of the two does not name a chain.
  await expect(startSandbox(options as Parameters<typeof startSandbox>[0])).rejects.toThrow(text)
})

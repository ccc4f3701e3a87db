import { erc20Abi, getAbiItem, keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPaymentsClient } from '../../src/redeemkit/api/createPaymentsClient.ts'
import {
  findRedeem,
  type PreparedRedeem,
  prepareRedeem,
  redeem,
  type SignedRedeem,
  type SubmittedRedeem,
  signRedeem,
  submitRedeem,
  waitForRedeem,
} from '../../src/redeemkit/index.ts'
import { type DemoSandbox, startDemoSandbox } from '../../src/sandbox/cli/demo/demoSandbox.ts'
import { payments, shapes } from '../../src/sandbox/cli/demo/redeems.ts'
import type { ServiceKind } from '../../src/sandbox/serviceKind.ts'

const transferEvent = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

let stage: DemoSandbox<ServiceKind>

const clientOf = (options: Partial<Parameters<typeof createPaymentsClient>[0]> = {}) =>
  createPaymentsClient({
    baseUrl: stage.sandbox.url,
    merchantId: stage.sandbox.merchantId,
    blockchain: 'base',
    environment: 'sandbox',
    wallet: stage.sandbox.accounts.alice.address,
    ...options,
  })
const toBob = () => ({
  subtotal: { cents: 1000 },
  transactionData: { type: 'token' as const, destination: stage.sandbox.accounts.bob.address },
  pinned: stage.home.pinned,
})
/** Reads the chain without viem: plain JSON-RPC over fetch. */
const plainReader = () => ({
  request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(stage.home.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const answer: { result?: unknown; error?: { message: string } } = await response.json()
    if (answer.error !== undefined) throw new Error(answer.error.message)
    return answer.result
  },
})

/** Both kinds of services: intent-bound and random nonces. */
describe.each(['intentBound', 'randomNonce'] as const)('with the service kind %s', (service) => {
  beforeAll(async () => {
    stage = await startDemoSandbox(() => {}, { service })
  })
  afterAll(() => stage?.stop())

  describe.each(shapes)('$name', (shape) => {
    test.each(payments.map((payment, index) => ({ ...payment, turn: index + 1 })))(
      'paid with $name',
      async ({ options, turn }) => {
        const { alice } = stage.sandbox.accounts
        const found: (string | undefined)[] = []
        const { hash, outcome } = await redeem(clientOf(), {
          ...toBob(),
          ...options,
          transactionData: await shape.transactionData(stage, turn),
          signer: alice.account,
          publicClient: plainReader(),
          dryRun: plainReader(),
          pollingIntervalMs: 20,
          onStep: (event) => {
            if (event.step === 'prepared')
              found.push(...(event.prepared.dryRun ?? []).map(({ code }) => code))
          },
        })
        expect(found).toEqual(service === 'intentBound' ? [] : ['DRY_RUN_UNAVAILABLE'])
        const usdcAmount = 'usdcAmount' in options ? 4_000_000n : 0n
        if (outcome === undefined) throw new Error('With a public client there is an outcome.')
        expect(outcome.wallet).toBe(alice.address)
        expect('charged' in outcome).toBe(service === 'intentBound')
        if ('charged' in outcome) {
          expect(outcome).toMatchObject({
            creditSeedHash: keccak256(stringToHex(stage.sandbox.creditSeed)),
            amount: 10_000_000n,
            usdcAmount,
          })
          expect(outcome.charged).toBe(10_000_000n - usdcAmount + outcome.gasFee)
          expect(outcome.gasFee).toBeGreaterThan(0n)
        } else expect(outcome.carriesPermit).toBe(true)
        const receipt = await stage.home.client.getTransactionReceipt({ hash })
        expect(receipt).toMatchObject({
          status: 'success',
          blockNumber: outcome.blockNumber,
          blockHash: outcome.blockHash,
        })
        const paid = outcome.movements
          .filter((one) => one.direction === 'out')
          .reduce((sum, one) => sum + one.amount, 0n)
        expect(paid).toBe(usdcAmount)
        const nfts = outcome.movements.filter((one) => one.direction === 'in' && one.standard === 'ERC-721')
        expect(nfts).toHaveLength(['safeMint', 'returned', 'knownTokenId'].includes(shape.name) ? 1 : 0)
        await shape.received(stage, turn)
      },
    )
  })

  describe('one step at a time', () => {
    test('a redeem is stored between all steps, sent twice, and found', async () => {
      const { account } = stage.sandbox.accounts.alice
      const { pinned, ...request } = { ...toBob(), usdcAmount: { cents: 250 } }
      const client = clientOf()
      const store = new Map<string, string>()
      const keep = (name: string, value: unknown) => void store.set(name, JSON.stringify(value))
      const load = <T>(name: string): T => JSON.parse(store.get(name) ?? 'null')
      keep('prepared', await prepareRedeem(client, { ...request, pinned }))
      keep(
        'signed',
        await signRedeem(account, {
          prepared: load<PreparedRedeem>('prepared'),
          pinned,
          request,
          publicClient: plainReader(),
        }),
      )
      const { signed } = { signed: load<SignedRedeem>('signed') }
      keep('submitted', await submitRedeem(client, { signed, pinned }))
      const submitted = load<SubmittedRedeem>('submitted')
      expect(await submitRedeem(client, { signed, pinned })).toStrictEqual(submitted)
      const outcome = await waitForRedeem(stage.home.client, { ...submitted, pollingIntervalMs: 20 })
      expect(outcome).toMatchObject({
        hash: submitted.hash,
        ...(service === 'intentBound' && { usdcAmount: 2_500_000n, kind: 'token' }),
      })
      expect((await findRedeem(plainReader(), submitted)).outcome).toStrictEqual(outcome)
    })

    test('after a lost response, the redeem is found on the chain and paid once', async () => {
      const { alice } = stage.sandbox.accounts
      let submits = 0
      const client = clientOf({
        fetch: async (url, init) => {
          const response = await fetch(url, init)
          if (!url.endsWith('sendGaslessTx') || submits++ > 0) return response
          await response.text()
          throw new TypeError('socket hang up')
        },
      })
      const { outcome, nonce } = await redeem(client, {
        ...toBob(),
        signer: alice.account,
        publicClient: plainReader(),
        pollingIntervalMs: 20,
      })
      expect(outcome?.nonce).toBe(nonce)
      const usdc = { address: stage.home.usdc, event: transferEvent, fromBlock: 0n } as const
      const logs = await stage.home.client.getLogs({ ...usdc, args: { from: stage.home.creditsContract } })
      const hashes = [...new Set(logs.map(({ transactionHash }) => transactionHash))]
      const sent = await Promise.all(hashes.map((one) => stage.home.client.getTransaction({ hash: one })))
      expect(sent.filter(({ input }) => input.includes(nonce.slice(2)))).toHaveLength(1)
    })

    test('a redeem whose nonce is unused is not found, and its expired permit is reported', async () => {
      const prepared = await prepareRedeem(clientOf(), toBob())
      const { creditsContract, intentBound } = prepared.pinned
      const { wallet, answer } = prepared
      const key = { wallet, nonce: answer.nonce, creditsContract, intentBound }
      const { timestamp } = await stage.home.client.getBlock()
      const ended = { ...key, validBefore: timestamp, pollingIntervalMs: 20 }
      expect(await findRedeem(plainReader(), { ...key, validBefore: timestamp })).toMatchObject(
        service === 'intentBound' ? { state: 'unused' } : { state: 'unknown', over: true },
      )
      await expect(waitForRedeem(plainReader(), ended)).rejects.toMatchObject({
        name: service === 'intentBound' ? 'RedeemExpiredError' : 'RedeemTimeoutError',
      })
    })

    test('a redeem with too few credits is refused', async () => {
      const { bob } = stage.sandbox.accounts
      const client = clientOf({ wallet: bob.address, sleep: async () => {} })
      await expect(
        redeem(client, {
          ...toBob(),
          subtotal: { cents: 900_000_000 },
          signer: bob.account,
          publicClient: plainReader(),
        }),
      ).rejects.toMatchObject({ name: 'InsufficientFundsError', asset: 'credits', need: 9_000_000_010_000n })
    })
  })
})

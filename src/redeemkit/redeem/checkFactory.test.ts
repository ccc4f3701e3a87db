import type { Address, Hex } from 'viem'
import { serializeErc6492Signature } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { userMessage } from '../core/userMessage/userMessage.ts'
import {
  account,
  chainId,
  countingSigner,
  emptyStorage,
  fakeChain,
  fakeService,
  isOwnCall,
  now,
  nowSeconds,
  orders,
  pinned,
  stranger,
  token,
  wallet,
} from './redeem.fixture.ts'
import { redeem } from './redeem.ts'

/** Wallets that are deployed through a factory with their first redeem (ERC-6492). */

const coinbase = '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a'
const wrap = (factory: Address) => (): Hex =>
  serializeErc6492Signature({ address: factory, data: '0x1234', signature: `0x${'ab'.repeat(70)}` })

/** Creates a service, and a chain on which every contract signature is valid. */
function world(code: Hex = '0x') {
  const chain = fakeChain({ timestamp: BigInt(nowSeconds), logs: [], code })
  const { mine, look } = orders(chain.state)
  const { client, received } = fakeService({
    client: { now },
    submit: (body) => {
      mine(body)
      return Response.json({ hash: `0x${'99'.repeat(32)}` })
    },
  })
  const publicClient = {
    request: async (call: { method: string; params?: unknown }) => {
      if (call.method !== 'eth_call') return chain.request(call)
      if (!isOwnCall(call)) return `0x1626ba7e${'00'.repeat(28)}`
      look((call.params as [{ data: string }])[0].data)
      return chain.request(call)
    },
  }
  return { client, received, publicClient }
}

/** Redeems with a wallet, and returns the error, the submits and the stored text. */
async function pay(signer: redeem.Options['signer'], change: Partial<redeem.Options> = {}, code?: Hex) {
  const { client, received, publicClient } = world(code)
  const storage = emptyStorage()
  const error = await redeem(client, {
    signer,
    publicClient,
    chainId,
    pinned,
    subtotal: { cents: 1000 },
    transactionData: token,
    purchaseId: 'order 1',
    storage,
    ...change,
  }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  const { sendGaslessTx: submitted } = received
  return { error, submits: submitted.length, submitted, stored: [...storage.items.values()].join() }
}

const refused = { name: 'UnsupportedSignerError', field: 'pinned.walletFactories' }

describe('an unknown factory', () => {
  test('is rejected before the submit, is named in the error, and its permit is not stored', async () => {
    const { error, submits, stored } = await pay(countingSigner({ answers: [wrap(stranger)] }))
    expect(error).toMatchObject(refused)
    expect(String(error)).toContain(stranger)
    expect(userMessage(error)).toBe("This wallet isn't supported here. Use another wallet.")
    expect(submits).toBe(0)
    expect(stored).not.toContain('6492')
  })

  test('is rejected when the node fails once, and the same signature is verified again', async () => {
    const signer = countingSigner({ answers: [wrap(stranger)] })
    const { publicClient } = world()
    let fails = true
    const flaky = {
      request: async (call: { method: string; params?: unknown }) => {
        if (signer.asked.length === 0 || !fails) return publicClient.request(call)
        fails = false
        throw new Error('ERR_INTERNET_DISCONNECTED')
      },
    }
    const { error, submits, stored } = await pay(signer, { publicClient: flaky, sleep: async () => {} })
    expect(error).toMatchObject(refused)
    expect([submits, signer.asked.length, fails]).toEqual([0, 1, false])
    expect(stored).not.toContain('6492')
  })

  test('is rejected when either of two signatures has an ERC-6492 wrapper', async () => {
    for (const answers of [[wrap(stranger)], [wrap(coinbase), wrap(stranger)]]) {
      const { error, submits } = await pay(countingSigner({ answers }), { usdcAmount: { cents: 400 } })
      expect([error, Object(error).cause]).toContainEqual(expect.objectContaining(refused))
      expect(userMessage(error)).toBe("This wallet isn't supported here. Use another wallet.")
      expect(submits).toBe(0)
    }
  })

  test('is rejected before the prompt if the signer reports it', async () => {
    let prompts = 0
    const signer = {
      ...account,
      type: 'smart',
      getFactoryArgs: async () => ({ factory: stranger, factoryData: '0x1234' as const }),
      signTypedData: async () => {
        prompts++
        return wrap(stranger)()
      },
    }
    expect((await pay(signer)).error).toMatchObject(refused)
    expect(prompts).toBe(0)
    const pins = { ...pinned, walletFactories: [stranger] }
    expect((await pay(signer, { pinned: pins })).error).toBeUndefined()
    expect(prompts).toBe(1)
  })
})

describe('the order is paid', () => {
  test('with the factory of a widely used smart account', async () => {
    expect(await pay(countingSigner({ answers: [wrap(coinbase)] }))).toMatchObject({
      error: undefined,
      submits: 1,
    })
  })

  test('partly in USDC: the authorization is sent unchanged', async () => {
    const answers = [wrap(coinbase), wrap(coinbase)]
    const { submitted } = await pay(countingSigner({ answers }), { usdcAmount: { cents: 400 } })
    const signature = wrap(coinbase)()
    expect(submitted).toMatchObject([
      { signedMessages: { permitCredits: signature, customerUsdcAuthDataV2: { signature } } },
    ])
  })

  test('with a pinned factory, compared case-insensitively', async () => {
    const walletFactories = [stranger.toLowerCase() as Address]
    const { error } = await pay(countingSigner({ answers: [wrap(stranger)] }), {
      pinned: { ...pinned, walletFactories },
    })
    expect(error).toBeUndefined()
  })

  test('with any factory, if the wallet is deployed', async () => {
    const { error } = await pay(countingSigner({ answers: [wrap(stranger)] }), {}, '0x60')
    expect(error).toBeUndefined()
  })
})

test('a pin that is not a list of addresses is rejected before the wallet is asked', async () => {
  for (const walletFactories of [wallet, ['factory']]) {
    const signer = countingSigner()
    const { error } = await pay(signer, { pinned: { ...pinned, walletFactories: walletFactories as never } })
    expect(error).toMatchObject({
      name: 'InvalidAddressError',
      field: expect.stringContaining('walletFactories'),
    })
    expect(signer.asked).toEqual([])
  }
})

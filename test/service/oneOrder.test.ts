import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { cancelCreditPermit, orderKey, orderState } from '../../src/redeemkit/evm/index.ts'
import { type PurchaseStorage, prepareRedeem, redeem, signRedeem } from '../../src/redeemkit/index.ts'
import { type RunningSandbox, type SandboxChain, startSandbox } from '../../src/sandbox/index.ts'
import {
  anvil,
  caller,
  clientOf,
  creditsAuthMsgPath,
  customer,
  overHttp,
  readUsdc,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

/**
 * An order must be paid once, even if its price, USDC part, chain, device or stored record changes between attempts. Measures the USDC that
 * the shop received on all chains, with a real service, real contracts and real signatures.
 */

let sandbox: RunningSandbox
let chains: Record<'base' | 'arbitrum', SandboxChain & { anvil: ReturnType<typeof anvil> }>

beforeAll(async () => {
  sandbox = await startSandbox({ blockchains: ['base', 'arbitrum'], bridge: false })
  const { base, arbitrum } = sandbox.chains as Required<typeof sandbox.chains> // The options started both chains.
  chains = {
    base: { ...base, anvil: anvil(base.rpcUrl) },
    arbitrum: { ...arbitrum, anvil: anvil(arbitrum.rpcUrl) },
  }
})
afterAll(() => sandbox?.stop())

type Name = keyof typeof chains

/** Returns a shop with one order, so that all USDC it receives was paid for this order. */
function newOrder() {
  return {
    shop: privateKeyToAccount(generatePrivateKey()).address,
    purchaseId: generatePrivateKey().slice(2, 34),
  }
}

type Order = ReturnType<typeof newOrder>

/** Returns the shop's balances on both chains, in raw units. */
async function receivedBy(...shops: Address[]): Promise<bigint> {
  const balances = await Promise.all(
    Object.values(chains).flatMap(({ anvil: { client }, usdc }) =>
      shops.map((shop) =>
        client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [shop] }),
      ),
    ),
  )
  return balances.reduce((sum, one) => sum + one, 0n)
}

/** Returns a device with its own storage, and the number of its wallet prompts. */
function newDevice() {
  const kept = new Map<string, string>()
  const storage: PurchaseStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
  const { account } = sandbox.accounts.alice
  const device = {
    prompts: 0,
    clear: () => kept.clear(),
    pay: (
      order: Order,
      change: { cents?: number; usdcCents?: number; chain?: Name; destination?: Address } = {},
    ) => {
      const { cents = 1000, usdcCents, chain = 'base', destination = order.shop } = change
      const {
        chainId,
        pinned,
        anvil: { client: publicClient },
      } = chains[chain]
      const other = chains[chain === 'base' ? 'arbitrum' : 'base']
      const client = clientOf(sandbox, { wallet: account.address, blockchain: chain })
      return redeem(client, {
        signer: account,
        publicClient,
        otherChains: [
          {
            publicClient: other.anvil.client,
            chainId: other.chainId,
            creditsContract: other.creditsContract,
          },
        ],
        storage,
        purchaseId: order.purchaseId,
        chainId,
        pinned,
        subtotal: { cents },
        ...(usdcCents !== undefined && { usdcAmount: { cents: usdcCents } }),
        transactionData: { type: 'token', destination },
        pollingIntervalMs: 20,
        onStep: ({ step }) => {
          if (step === 'signing') device.prompts++
        },
      })
    },
  }
  return device
}

describe('the shop is paid once by', () => {
  test.each([
    ['USDC part 0 and then 4.00', { usdcCents: 400 }],
    ['the same request', {}],
  ])('two devices, %s', async (_, change) => {
    const [one, two, order] = [newDevice(), newDevice(), newOrder()]
    const paid = await one.pay(order)
    expect(await two.pay(order, change)).toMatchObject({ hash: paid.hash })
    expect(two.prompts).toBe(0)
    expect(await receivedBy(order.shop)).toBe(10_000_000n)
  })

  test('one device, with site data cleared in between, USDC part 0 and then 3.00', async () => {
    const [device, order] = [newDevice(), newOrder()]
    const paid = await device.pay(order)
    device.clear()
    expect(await device.pay(order, { usdcCents: 300 })).toMatchObject({ hash: paid.hash })
    expect(device.prompts).toBe(1)
    expect(await receivedBy(order.shop)).toBe(10_000_000n)
  })

  test('two devices that pay 10.00 and then 10.01', async () => {
    const [one, two, order] = [newDevice(), newDevice(), newOrder()]
    await one.pay(order)
    await expect(two.pay(order, { cents: 1001 })).rejects.toMatchObject({
      name: 'OrderUsedError',
      expected: 10_010_000n,
      paid: 10_000_000n,
    })
    expect(two.prompts).toBe(0)
    expect(await receivedBy(order.shop)).toBe(10_000_000n)
  })

  test('two devices on Base and then Arbitrum', async () => {
    const [one, two, order] = [newDevice(), newDevice(), newOrder()]
    const { hash } = await one.pay(order)
    // The service refuses the second permit, and the first chain shows that the order is paid.
    await expect(two.pay(order, { chain: 'arbitrum' })).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
      cause: { name: 'AlreadyRedeemedError', message: expect.stringContaining(hash) },
    })
    expect(await receivedBy(order.shop)).toBe(10_000_000n)
  })

  test('a cent on Base, then 10.00 on Arbitrum: the client reports that the order was used for the cent', async () => {
    const [one, two, order] = [newDevice(), newDevice(), newOrder()]
    const { hash } = await one.pay(order, { cents: 1 })
    await expect(two.pay(order, { chain: 'arbitrum' })).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
      cause: { name: 'OrderUsedError', paid: 10_000n, expected: 10_000_000n, hash },
    })
    expect(await receivedBy(order.shop)).toBe(10_000n)
  })
})

/** Signs an order on Base, on a device whose submission never reaches the service. */
async function signOnBase(order: Order) {
  const { pinned } = chains.base
  const { account, address } = sandbox.accounts.alice
  const client = clientOf(sandbox, { wallet: address })
  const request = {
    subtotal: { cents: 1000 },
    transactionData: { type: 'token' as const, destination: order.shop },
  }
  const prepared = await prepareRedeem(client, { ...request, pinned, purchaseId: order.purchaseId })
  return { prepared, signed: await signRedeem(account, { prepared, request, pinned }) }
}

test('a permit that a third party relayed on Base cannot be paid again on Arbitrum', async () => {
  const order = newOrder()
  const { prepared, signed } = await signOnBase(order)
  const { customerWallet, creditSeed, amount, validBefore, nonce } = prepared.typedData.creditPermit
    .message as Record<string, Hex>
  const permit = {
    customerWallet,
    creditSeed,
    amount,
    validBefore,
    nonce,
    signature: signed.signedMessages.permitCredits,
  }
  await chains.base.anvil.send({
    from: privateKeyToAccount(generatePrivateKey()).address,
    to: chains.base.creditsContract,
    data: encodeFunctionData({
      abi: creditsAbi,
      functionName: 'redeemToken',
      args: [permit, 10_000_000n, 0n, prepared.salt, order.shop] as never, // Decimal text in the typed data.
    }),
  })
  await expect(newDevice().pay(order, { chain: 'arbitrum' })).rejects.toMatchObject({
    name: 'OutcomeUnknownError',
    cause: { name: 'AlreadyRedeemedError' },
  })
  expect(await receivedBy(order.shop)).toBe(10_000_000n)
})

test('20 concurrent clicks on 5 devices pay once, although the price moves by a cent', async () => {
  const order = newOrder()
  const devices = Array.from({ length: 5 }, newDevice)
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => devices[at % 5]?.pay(order, { cents: at % 2 === 0 ? 1000 : 1001 })),
  )
  expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect([10_000_000n, 10_010_000n]).toContain(await receivedBy(order.shop))
})

test('100 random changes of a request under one order id pay once, by the client and by raw requests', async () => {
  const order = newOrder()
  const other = privateKeyToAccount(generatePrivateKey()).address
  const service = caller(overHttp(sandbox.url))
  const { account, address } = sandbox.accounts.alice
  const key = orderKey({ merchantId: sandbox.merchantId, purchaseId: order.purchaseId })
  await newDevice().pay(order)
  const pick = <T>(...values: T[]) => values[Math.floor(Math.random() * values.length)] as T
  const refusals = new Set<string>()
  for (let at = 0; at < 100; at++) {
    const cents = pick(999, 1000, 1001, 2000)
    const usdcCents = pick(0, 1, 400, 999)
    const chain = pick<Name>('base', 'arbitrum')
    const destination = pick(order.shop, other)
    if (at % 4 === 0) {
      await newDevice()
        .pay(order, { cents, usdcCents, chain, destination })
        .catch(({ name }: Error) => refusals.add(name))
      continue
    }
    const body = await signedBody(service, {
      request: {
        merchantId: sandbox.merchantId,
        subtotal: { cents },
        ...(usdcCents > 0 && { usdcAmount: { cents: usdcCents } }),
        transactionData: { type: 'token', destination },
        orderKey: key,
        purchaseId: order.purchaseId,
      },
      wallet: address,
      key: account,
      blockchain: chain,
      payment: pick('V1', 'V2'),
    })
    const { status, body: answer } = await service.post(sendGaslessTxPath, body, customer(address, chain))
    expect(status).toBe(409)
    refusals.add(answer.code)
  }
  expect(refusals).toContain('ORDER_ALREADY_PAID')
  expect(await receivedBy(order.shop, other)).toBe(10_000_000n)
}, 120_000)

test('a third party cannot execute the USDC authorization of an abandoned attempt', async () => {
  const order = newOrder()
  const { base } = chains
  const { account, address } = sandbox.accounts.alice
  const client = clientOf(sandbox, { wallet: address })
  const request = {
    subtotal: { cents: 1000 },
    usdcAmount: { cents: 400 },
    transactionData: { type: 'token' as const, destination: order.shop },
  }
  const { pinned } = base
  const prepared = await prepareRedeem(client, { ...request, pinned, purchaseId: order.purchaseId })
  const { signedMessages } = await signRedeem(account, { prepared, request, pinned })
  const { from, to, value, validAfter, validBefore, nonce, signature } =
    signedMessages.customerUsdcAuthDataV2 ?? expect.unreachable()
  await newDevice().pay(order)
  const before = await readUsdc(base, address)
  const abi = parseAbi([
    'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
    'function receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
  ])
  const args = [
    from,
    to,
    BigInt(value),
    BigInt(validAfter),
    BigInt(validBefore),
    nonce as Hex,
    signature as Hex,
  ] as const
  for (const functionName of ['transferWithAuthorization', 'receiveWithAuthorization'] as const)
    await expect(
      base.anvil.client.call({
        account: privateKeyToAccount(generatePrivateKey()).address,
        to: base.usdc,
        data: encodeFunctionData({ abi, functionName, args: args as never }), // Strings of the wire record, converted to bigints.
      }),
    ).rejects.toThrow('revert')
  expect(await readUsdc(base, address)).toBe(before)
  expect(await receivedBy(order.shop)).toBe(10_000_000n)
})

test('a reorganization that removes the redeem leaves one payment', async () => {
  const [one, two, order] = [newDevice(), newDevice(), newOrder()]
  const { rpc } = chains.base.anvil
  const snapshot = await rpc('evm_snapshot', [])
  await one.pay(order)
  await rpc('evm_revert', [snapshot])
  expect(await receivedBy(order.shop)).toBe(0n)
  const again = two.pay(order, { cents: 1001 }).catch(() => undefined)
  await again
  await expect.poll(() => receivedBy(order.shop), { timeout: 20_000 }).toBeGreaterThan(0n)
  expect([10_000_000n, 10_010_000n]).toContain(await receivedBy(order.shop))
})

test('a cancelled order stays unpaid', async () => {
  const order = newOrder()
  const { base } = chains
  const { account, address } = sandbox.accounts.alice
  const service = caller(overHttp(sandbox.url))
  const key = orderKey({ merchantId: sandbox.merchantId, purchaseId: order.purchaseId })
  const request = {
    merchantId: sandbox.merchantId,
    subtotal: { cents: 1000 },
    transactionData: { type: 'token' as const, destination: order.shop },
    orderKey: key,
    purchaseId: order.purchaseId,
  }
  const signed = await signedBody(service, { request, wallet: address, key: account })
  const { body: answer } = await service.post(creditsAuthMsgPath, request, customer(address))
  const signature = await cancelCreditPermit(account, {
    domain: JSON.parse(answer.message).domain,
    customerWallet: address,
    nonce: answer.nonce,
  })
  await base.anvil.call(base.creditsContract, creditsAbi, 'cancelCreditsAuthorization', [
    address,
    answer.nonce,
    signature,
  ])
  const { creditsContract } = base
  expect(
    await orderState(base.anvil.client, { creditsContract, wallet: address, orderKey: key }),
  ).toMatchObject({
    state: 'cancelled',
  })
  expect(await service.post(sendGaslessTxPath, signed, customer(address))).toMatchObject({
    status: 409,
    body: { code: 'ORDER_CANCELLED' },
  })
  await expect(newDevice().pay(order, { cents: 1001, usdcCents: 100 })).rejects.toMatchObject({
    name: 'RedeemCancelledError',
  })
  expect(await receivedBy(order.shop)).toBe(0n)
})

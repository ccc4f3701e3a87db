import { type Abi, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { normal } from '../../src/redeemkit/evm/index.ts'
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { administer, giveCredits } from '../../src/sandbox/chains/anvil/deployCredits.ts'
import { simulateRedeem } from '../../src/sandbox/simulation/simulateRedeem.ts'
import { creditSeed, dryRunOn, receiver, relayer, type Stage, startStage, wallet } from './startStage.ts'

/** Compares the dry run with the simulation engine, which uses traces, on a real node. */

const amount = 10_000_000n
/** A token on another chain that a redeem can pay out. */
const dstToken: Hex = '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'

let stage: Stage
const merchants: Record<string, { address: Hex; abi: Abi }> = {}
beforeAll(async () => {
  stage = await startStage()
  for (const name of ['NormalMerchant', 'FailingMerchant', 'OddPayments', 'HostileMerchant']) {
    merchants[name] = await stage.deploy(name)
    await stage.allow(merchants[name].address)
  }
  await stage.giveUsdc(wallet, amount)
  const { bridgeAdapter } = stage
  const args = [42161n, dstToken, 1_000_000n] as const
  await administer(stage.rpc, bridgeAdapter, { functionName: 'setRoute', args })
  await stage.allow(receiver, { chainId: 42161 })
}, 120_000)
afterAll(() => stage?.stop())

/** Builds a call such as `FailingMerchant.soldOut`, with an ABI that contains the errors. */
function call(what: string, args: readonly unknown[]): TransactionData {
  const [name = '', functionName = ''] = what.split('.')
  const merchant = merchants[name]
  if (merchant === undefined) throw new Error(`${name} is not deployed.`)
  return normal({ to: merchant.address, abi: merchant.abi, functionName, args })
}

/** Returns the dry run's findings and the engine's report of the same redeem. */
async function bothOf(
  transactionData: TransactionData,
  options: Omit<Parameters<typeof dryRunOn>[1], 'transactionData'> = {},
) {
  const { usdcAmount, wallet: customer = wallet } = options
  const [findings, report] = await Promise.all([
    dryRunOn(stage, { transactionData, ...options }),
    simulateRedeem(stage.client, {
      creditsContract: stage.creditsContract,
      creditSeed,
      relayer,
      wallet: customer,
      amount,
      usdcAmount,
      transactionData,
      abis: Object.values(merchants).map(({ abi }) => abi),
    }),
  ])
  return { found: findings.map(({ code, message }) => [code, message] as const), report }
}

const decentOf = (change: Partial<{ dstChainId: number; contractData: Hex; amount: string }> = {}) => ({
  type: 'decent' as const,
  dstChainId: change.dstChainId ?? 42161,
  dstToken,
  contractAddress: receiver,
  contractData: change.contractData ?? '0x12345678',
  cost: { isNative: false, amount: change.amount ?? '9000000' },
})

describe('a redeem that succeeds has no finding', () => {
  const buy = () => call('NormalMerchant.buy', [receiver, amount])
  test.each<[string, () => TransactionData, Partial<Parameters<typeof dryRunOn>[1]>]>([
    ['token', () => ({ type: 'token', destination: receiver }), {}],
    ['normal', buy, {}],
    ['decent', decentOf, {}],
    ['with a USDC part, to be received', buy, { usdcAmount: 4_000_000n }],
    ['with all of it in USDC', buy, { usdcAmount: amount }],
  ])('%s', async (_, transactionData, options) => {
    const { found, report } = await bothOf(transactionData(), options)
    expect(found).toEqual([])
    expect(report.execution).toEqual({ succeeded: true })
  })

  test.each<[string, (address: Hex) => Promise<unknown>]>([
    ['an address whose wallet is deployed later (ERC-6492)', async () => {}],
    [
      'a wallet that is a contract (ERC-1271)',
      async (address) => {
        const { address: deployed } = await stage.deploy('SmartWallet', [receiver])
        await stage.rpc.setCode(address, await codeAt(deployed))
      },
    ],
    [
      'an account that has delegated (EIP-7702)',
      async (address) => {
        const { address: delegate } = await stage.deploy('SmartWallet', [receiver])
        await stage.rpc.setCode(address, `0xef0100${delegate.slice(2)}`)
      },
    ],
    [
      'a wallet that would reject the signature of a dry run',
      // This wallet returns 0xffffffff for every call.
      (address) => stage.rpc.setCode(address, '0x63ffffffff60e01b60005260206000f3'),
    ],
  ])('of %s', async (name, prepare) => {
    const customer = privateKeyToAddress(keccak256(toHex(name)))
    await prepare(customer)
    const { creditsContract } = stage
    await giveCredits(stage.rpc, { creditsContract, creditSeed, wallet: customer, amount })
    await stage.giveUsdc(customer, amount)
    const { found, report } = await bothOf(buy(), { wallet: customer, usdcAmount: 4_000_000n })
    expect(found).toEqual([])
    expect(report.execution).toEqual({ succeeded: true })
  })

  const codeAt = async (address: Hex) =>
    (await stage.client.request({ method: 'eth_getCode', params: [address, 'latest'] })) as Hex // hex by its definition
})

describe('a redeem that would fail', () => {
  test.each<[what: string, args: readonly unknown[], text: string]>([
    ['FailingMerchant.soldOut', [amount], 'SoldOut: limit 5, note "come back"'],
    ['FailingMerchant.underflow', [amount], 'panic 17: arithmetic overflow or underflow'],
    ['FailingMerchant.recurse', [60n], 'SoldOut: limit 0, note "at the bottom"'],
    ['OddPayments.buyTwice', [amount], '"ERC20: transfer amount exceeds allowance"'],
    ['OddPayments.buyOfOrigin', [amount], '"ERC20: transfer amount exceeds'],
    ['OddPayments.buyWithCoin', [amount], '"OddPayments: coin price"'],
    ['HostileMerchant.safeMint', [1n], 'UnexpectedToken: sender'],
  ])(
    '%s is reported with the contract’s own error, and the engine reports the same',
    async (what, args, text) => {
      const { found, report } = await bothOf(call(what, args))
      const { address } = merchants[what.split('.')[0] ?? ''] ?? {}
      expect(found).toEqual([
        ['CALL_REVERTS', expect.stringContaining(`The call to ${address} would revert: ${text}`)],
      ])
      expect(report.execution).toMatchObject({
        succeeded: false,
        reason: expect.stringContaining(text.replace(/^"|"$/g, '')),
      })
    },
  )

  test.each([
    ['silent', [amount]],
    ['loopForever', [amount]],
    ['asksAbsent', [amount]],
  ])('FailingMerchant.%s, whose revert data has no meaning, is reported', async (name, args) => {
    const { found, report } = await bothOf(call(`FailingMerchant.${name}`, args))
    expect(found).toEqual([['CALL_REVERTS', expect.stringContaining('it reverted without a reason')]])
    expect(report.execution).toMatchObject({ succeeded: false })
  })

  test('a missing function is reported', async () => {
    const { address } = merchants.NormalMerchant ?? {}
    const { found, report } = await bothOf({ transaction: { to: address ?? '0x', data: '0x12345678' } })
    expect(found).toEqual([['CALL_REVERTS', expect.stringContaining('it reverted without a reason')]])
    expect(report.execution).toMatchObject({ reason: 'it has no function 0x12345678' })
  })

  test('a bridge without a route is reported', async () => {
    await stage.allow(receiver, { chainId: 10 })
    const { found, report } = await bothOf(decentOf({ dstChainId: 10 }))
    expect(found).toEqual([['CALL_REVERTS', expect.stringMatching(/^The redeem would fail: \w+: /)]])
    expect(report.execution).toMatchObject({ succeeded: false })
  })
})

describe('the whitelist', () => {
  const buyOf = ({ address, abi }: { address: Hex; abi: Abi }): TransactionData => ({
    transaction: {
      to: address,
      data: encodeFunctionData({ abi, functionName: 'buy', args: [receiver, amount] }),
    },
  })

  test.each<[string, string, () => Promise<TransactionData>]>([
    [
      'a contract without an entry',
      'NOT_WHITELISTED',
      async () => buyOf(await stage.deploy('NormalMerchant')),
    ],
    [
      'a function without an entry',
      'SELECTOR_NOT_WHITELISTED',
      async () => {
        const merchant = await stage.deploy('NormalMerchant')
        await stage.allow(merchant.address, { selector: '0x12345678' })
        return buyOf(merchant)
      },
    ],
    [
      'USDC itself',
      'NOT_WHITELISTED',
      async () => buyOf({ address: stage.usdc, abi: merchants.NormalMerchant?.abi ?? [] }),
    ],
    [
      'an address without code',
      'NOT_WHITELISTED',
      async () => buyOf({ address: receiver, abi: merchants.NormalMerchant?.abi ?? [] }),
    ],
    ['a chain without one', 'NOT_WHITELISTED', async () => decentOf({ dstChainId: 8453 })],
  ])('%s: %s', async (_, code, transactionData) => {
    const { found, report } = await bothOf(await transactionData())
    expect(found.map(([found]) => found)).toEqual([code])
    expect(report.findings.map(({ code }) => code)).toContain(code)
  })

  test('an allowed function is named', async () => {
    const merchant = await stage.deploy('NormalMerchant')
    await stage.allow(merchant.address, { selector: '0x12345678' })
    const { found } = await bothOf(buyOf(merchant))
    expect(found).toEqual([
      ['SELECTOR_NOT_WHITELISTED', expect.stringContaining('Allowed functions: 0x12345678')],
    ])
  })
})

describe('a wallet', () => {
  test('without credits is reported', async () => {
    const { found, report } = await bothOf(call('NormalMerchant.buy', [receiver, amount]), {
      wallet: receiver,
    })
    expect(found).toEqual([
      ['INSUFFICIENT_CREDITS', expect.stringContaining('0.00 USD in credits, but 10.03 is needed')],
    ])
    expect(report.execution).toMatchObject({ error: 'InsufficientCredits' })
  })

  test('with credits for everything except the fee is reported: only the dry run includes the fee', async () => {
    const customer = privateKeyToAddress(keccak256(toHex('a customer without the fee')))
    const { creditsContract } = stage
    await giveCredits(stage.rpc, { creditsContract, creditSeed, wallet: customer, amount })
    const { found, report } = await bothOf(call('NormalMerchant.buy', [receiver, amount]), {
      wallet: customer,
    })
    expect(found.map(([code]) => code)).toEqual(['INSUFFICIENT_CREDITS'])
    expect(report.execution).toEqual({ succeeded: true })
  })

  test('without USDC is reported', async () => {
    const customer = privateKeyToAddress(keccak256(toHex('a customer without USDC')))
    const { creditsContract } = stage
    await giveCredits(stage.rpc, { creditsContract, creditSeed, wallet: customer, amount })
    const buy = call('NormalMerchant.buy', [receiver, amount])
    const { found, report } = await bothOf(buy, { wallet: customer, usdcAmount: 4_000_000n })
    expect(found.map(([code]) => code)).toEqual(['INSUFFICIENT_USDC'])
    expect(report.execution).toMatchObject({ succeeded: false })
  })
})

describe('a node', () => {
  const nodeWith = (change: (method: string, params: unknown) => { params: unknown }) => ({
    request: ({ method, params }: { method: string; params?: unknown }) =>
      stage.client.request({ method, ...change(method, params) }),
  })

  test('that ignores state overrides gives no verdict, for a good and a bad contract', async () => {
    const node = nodeWith((method, params) => ({
      params: method === 'eth_call' && Array.isArray(params) ? params.slice(0, 2) : params,
    }))
    for (const what of ['NormalMerchant.buy', 'FailingMerchant.soldOut']) {
      const args = what === 'NormalMerchant.buy' ? [receiver, amount] : [amount]
      const { found } = await bothOf(call(what, args), { node })
      expect(found).toEqual([['DRY_RUN_UNAVAILABLE', expect.stringContaining('ignored the state override')]])
    }
  })

  test('receives only eth_call and eth_chainId for a whitelisted call', async () => {
    const asked = new Set<string>()
    const node = nodeWith((method, params) => {
      asked.add(method)
      return { params }
    })
    const { found } = await bothOf(call('NormalMerchant.buy', [receiver, amount]), { node })
    expect(found).toEqual([])
    expect([...asked].sort()).toEqual(['eth_call', 'eth_chainId'])
  })

  test('that fails every call throws an error instead of returning a verdict', async () => {
    const node = {
      request: (question: { method: string; params?: unknown }) =>
        question.method === 'eth_call'
          ? Promise.reject(new Error('HTTP request failed.'))
          : stage.client.request(question),
    }
    await expect(bothOf(call('NormalMerchant.buy', [receiver, amount]), { node })).rejects.toMatchObject({
      name: 'ChainReadError',
      field: 'dryRun',
    })
  })
})

import { type Abi, encodeFunctionData, type Hex, keccak256, parseAbi, toHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { administer, giveCredits } from '../../src/sandbox/chains/anvil/deployCredits.ts'
import type { RedeemReport } from '../../src/sandbox/simulation/redeemReport.ts'
import { simulateRedeem } from '../../src/sandbox/simulation/simulateRedeem.ts'
import { creditSeed, receiver, relayer, type Stage, startStage, wallet } from './startStage.ts'

const amount = 10_000_000n

type Merchant = { address: Hex; abi: Abi }

let stage: Stage
const merchants: Record<string, Merchant> = {}
beforeAll(async () => {
  stage = await startStage()
  for (const name of [
    'NormalMerchant',
    'FailingMerchant',
    'OddPayments',
    'TalkativeMerchant',
    'HostileMerchant',
    'LockedTicket',
    'KeyHeldOnly',
  ]) {
    const merchant = await stage.deploy(name)
    await stage.allow(merchant.address)
    merchants[name] = merchant
  }
}, 120_000)
afterAll(() => stage?.stop())

function merchantOf(name: string): Merchant {
  const merchant = merchants[name]
  if (merchant === undefined) throw new Error(`${name} is not deployed.`)
  return merchant
}

/** `FailingMerchant.soldOut` with its arguments. */
async function simulate(
  what: string,
  args: readonly unknown[],
  options: Partial<simulateRedeem.Options> = {},
): Promise<RedeemReport> {
  const [name = '', functionName = ''] = what.split('.')
  const { address, abi } = merchantOf(name)
  return simulateRedeem(stage.client, {
    creditsContract: stage.creditsContract,
    creditSeed,
    relayer,
    wallet,
    amount,
    transactionData: { transaction: { to: address, data: encodeFunctionData({ abi, functionName, args }) } },
    abis: [abi],
    ...options,
  })
}

const codesOf = ({ findings }: RedeemReport) => findings.map(({ code }) => code)

describe('a redeem that succeeds', () => {
  test('reports who receives what, and what it costs', async () => {
    const report = await simulate('NormalMerchant.buy', [receiver, amount], { feeOf: () => 30_000n })
    const { address } = merchantOf('NormalMerchant')
    expect(report).toMatchObject({
      verdict: 'ok',
      findings: [],
      execution: { succeeded: true },
      whitelist: { isNeeded: true, isAllowed: true, minimumGas: 50_000n, allowedSelectors: [] },
      redeem: { shape: 'normal', signature: 'buy(address,uint256)', signatures: 'assumed', amount },
      usdc: {
        approved: amount,
        pulled: amount,
        refunded: 0n,
        received: [{ account: address, amount }],
        wanted: [{ amount, given: true }],
      },
      gas: { fee: 30_000n, charged: 10_030_000n },
      leftBehind: [],
    })
    expect(report.callTree.calls.map(({ text }) => text?.replace(/\(.*/, ''))).toContain('buy')
  })

  test('reports the gas that the transaction uses', async () => {
    const report = await simulate('NormalMerchant.buy', [receiver, amount])
    expect(report.gas.used).toBeGreaterThan(150_000n)
    expect(report.gas.call).toBeLessThan(report.gas.suggestedMinimumGas ?? 0n)
  })

  test('changes nothing on the chain', async () => {
    const before = await stage.client.request({ method: 'eth_blockNumber' })
    await simulate('NormalMerchant.buy', [receiver, amount])
    expect(await stage.client.request({ method: 'eth_blockNumber' })).toBe(before)
  })

  test("is reported with a part paid in the customer's own USDC", async () => {
    await stage.giveUsdc(wallet, amount)
    const report = await simulate('NormalMerchant.buy', [receiver, amount], {
      usdcAmount: 4_000_000n,
      feeOf: () => 0n,
    })
    expect(report).toMatchObject({ verdict: 'ok', usdc: { pulled: amount }, gas: { charged: 6_000_000n } })
  })

  test('is signed by the wallet itself, including the USDC', async () => {
    const signer = privateKeyToAccount(keccak256(toHex('a wallet of this test')))
    const { creditsContract } = stage
    await giveCredits(stage.rpc, { creditsContract, creditSeed, wallet: signer.address, amount })
    await stage.giveUsdc(signer.address, amount)
    const report = await simulate('NormalMerchant.buy', [receiver, amount], {
      wallet: signer.address,
      usdcAmount: 4_000_000n,
      signer,
    })
    expect(report).toMatchObject({ verdict: 'ok', findings: [], redeem: { signatures: 'real' } })
  })

  test('at a shop that rejects receivers with code: succeeds if signed, and otherwise reports why not', async () => {
    const signer = privateKeyToAccount(keccak256(toHex('a wallet without code')))
    const { creditsContract } = stage
    await giveCredits(stage.rpc, { creditsContract, creditSeed, wallet: signer.address, amount })
    const options = { wallet: signer.address, rules: 'all' } as const
    const args = [signer.address, amount]
    const signed = await simulate('KeyHeldOnly.buy', args, { ...options, signer })
    expect(signed).toMatchObject({ verdict: 'ok', findings: [], execution: { succeeded: true } })
    expect(signed.notJudged).toMatchObject([
      { code: 'SEES_ONE_CUSTOMER', reason: expect.any(String) },
      { code: 'DIFFERS_ON_SECOND_CALL', reason: expect.any(String) },
    ])
    const played = await simulate('KeyHeldOnly.buy', args, options)
    expect(played.findings).toMatchObject([
      { code: 'CALL_REVERTS', fix: expect.stringContaining('this run simulated the wallet with code') },
    ])
  })

  test("is refused with another account's signature", async () => {
    const signer = privateKeyToAccount(keccak256(toHex('another wallet')))
    await expect(simulate('NormalMerchant.buy', [receiver, amount], { signer })).rejects.toThrow(
      expect.objectContaining({ name: 'WrongSignerError' }),
    )
  })
})

describe('a call that fails', () => {
  test.each([
    ['soldOut', [amount], 'SoldOut', 'SoldOut: limit 5, note "come back"'],
    ['underflow', [amount], 'Panic', 'panic 17: arithmetic overflow or underflow'],
    ['loopForever', [amount], undefined, 'it ran out of gas'],
    ['silent', [amount], undefined, 'it reverted without a reason, after it read 0 from its storage'],
    ['asksAbsent', [amount], undefined, 'it has no function 0x921ecc6b'],
    ['invalidInstruction', [], undefined, 'it hit an invalid opcode'],
    ['recurse', [60n], 'SoldOut', 'SoldOut: limit 0, note "at the bottom"'],
  ])('%s is reported with the reason', async (name, args, error, reason) => {
    const report = await simulate(`FailingMerchant.${name}`, args)
    expect(report.execution).toMatchObject({ succeeded: false, error, reason })
    const codes = name === 'loopForever' ? ['CALL_REVERTS', 'GAS_ABOVE_LIMIT'] : ['CALL_REVERTS']
    expect(codesOf(report)).toEqual(codes)
    expect(report.verdict).toBe('refuse')
  })

  test('is reported with the place where it began', async () => {
    const report = await simulate('FailingMerchant.recurse', [60n])
    if (report.execution.succeeded) throw new Error('It went through.')
    // The call to the merchant, and 60 nested calls.
    expect(report.execution.at).toHaveLength(61)
    expect(report.execution.contract).toBe(merchantOf('FailingMerchant').address)
  })

  test('is reported with the selector of a missing function', async () => {
    const data = encodeFunctionData({ abi: parseAbi(['function order(uint256)']), args: [1n] })
    const report = await simulate('NormalMerchant.buy', [receiver, amount], {
      transactionData: { transaction: { to: merchantOf('NormalMerchant').address, data } },
    })
    expect(report.execution).toMatchObject({ reason: `it has no function ${data.slice(0, 10)}` })
  })

  test('is reported with the selector of an error that no ABI has', async () => {
    const report = await simulate('FailingMerchant.soldOut', [amount], { abis: [] })
    expect(report.execution).toMatchObject({ error: undefined, reason: expect.stringContaining('0x') })
  })
})

describe('a shop with another chain’s USDC', () => {
  const buyAt = async (token: Hex) => {
    const { address, abi } = await stage.deploy('NormalMerchant', [token])
    await stage.allow(address)
    const data = encodeFunctionData({ abi, functionName: 'buy', args: [receiver, amount] })
    return simulate('NormalMerchant.buy', [receiver, amount], {
      transactionData: { transaction: { to: address, data } },
    })
  }

  test('the error names the contract of this chain', async () => {
    const { address } = await stage.deploy('CoinSale')
    const { findings, execution } = await buyAt(address)
    const fix = `Take the payment in the USDC of this chain: ${address} is a different token.`
    expect(findings).toMatchObject([{ code: 'CALL_REVERTS', fix }])
    expect(execution).toMatchObject({ fix })
  })

  test('the error names an address without code', async () => {
    const { findings, execution } = await buyAt(receiver)
    expect(execution).toMatchObject({ reason: `it called ${receiver}, which has no code` })
    expect(findings).toMatchObject([
      { code: 'CALL_REVERTS', fix: expect.stringContaining(`${receiver} has no code`) },
    ])
  })
})

describe('payment', () => {
  test.each([
    ['buyOfOrigin', [amount], ['PULLS_FROM_OTHERS']],
    ['buyFromAnybody', [wallet, amount], ['PULLS_FROM_OTHERS']],
    ['buyTwice', [amount], ['PULLS_MORE']],
    ['buyAndSendBack', [wallet, amount], ['PULLS_LESS']],
    // The price is in storage, and is not a common one.
    ['buyWithCoin', [amount], ['NEEDS_NATIVE_COIN']],
    ['buyWithPlentyOfGas', [wallet, amount], ['KEEPS_MONEY_ON_SHORT_GAS']],
  ])('%s', async (name, args, codes) => {
    expect(codesOf(await simulate(`OddPayments.${name}`, args))).toEqual(codes)
  })

  test('names the missing coin', async () => {
    const report = await simulate('OddPayments.buyWithCoin', [amount])
    expect(report.findings[0]?.message).toContain('0.003141592653589793')
  })

  test('the customer’s approval to the merchant can also be used in a redeem', async () => {
    const { address } = merchantOf('OddPayments')
    await stage.giveUsdc(wallet, amount)
    const approve = encodeFunctionData({
      abi: parseAbi(['function approve(address,uint256) returns (bool)']),
      args: [address, amount],
    })
    await stage.rpc.send({ from: wallet, to: stage.usdc, data: approve })
    const report = await simulate('OddPayments.buyFromAnybody', [wallet, amount])
    expect(codesOf(report)).toEqual(['PULLS_FROM_OTHERS'])
    expect(report.usdc.wanted[0]).toMatchObject({ from: wallet, given: true })
  })
})

describe('short gas', () => {
  const simulateCatching = async (minimumGas: bigint) => {
    const { address, abi } = await stage.deploy('CatchingMerchant')
    await stage.allow(address, { minimumGas })
    const data = encodeFunctionData({ abi, functionName: 'buy', args: [amount] })
    return simulate('NormalMerchant.buy', [receiver, amount], {
      transactionData: { transaction: { to: address, data } },
    })
  }

  test('a caught delivery of 600,000 gas is reported', async () => {
    const report = await simulateCatching(50_000n)
    expect(codesOf(report)).toEqual(['KEEPS_MONEY_ON_SHORT_GAS'])
    expect(report.findings[0]?.message).toContain('ran out of gas')
  })

  test('an entry with the suggested minimum gas prevents this', async () => {
    const { gas } = await simulateCatching(50_000n)
    expect(codesOf(await simulateCatching(gas.suggestedMinimumGas ?? 0n))).toEqual([])
  })
})

describe('tokens', () => {
  test('an event of a mint that never happened is reported', async () => {
    const report = await simulate('TalkativeMerchant.pretendMint', [receiver, amount])
    expect(codesOf(report)).toEqual(['NFT_STAYS_BEHIND'])
    expect(report.nfts).toMatchObject([{ mintedTo: receiver, holderIs: 'another account' }])
  })

  test('an event that names the receiver while the caller gets the token is reported', async () => {
    const report = await simulate('TalkativeMerchant.pretendReceiver', [receiver, amount])
    expect(codesOf(report)).toEqual(['NFT_STAYS_BEHIND'])
    expect(report.nfts).toMatchObject([{ holderIs: 'credits contract' }])
    expect(report.leftBehind).toHaveLength(1)
  })

  test('a returned token without an event is looked up', async () => {
    const { address, abi } = merchantOf('TalkativeMerchant')
    const data = encodeFunctionData({ abi, functionName: 'mintInSilence', args: [amount] })
    const report = await simulate('NormalMerchant.buy', [receiver, amount], {
      transactionData: { type: 'returned', transaction: { to: address, data } },
    })
    expect(report).toMatchObject({ verdict: 'ok', nfts: [{ id: 2n, holder: wallet, holderIs: 'customer' }] })
  })

  test('a token that is minted with the hook, but sold as normal, is refused by the credits contract', async () => {
    const report = await simulate('HostileMerchant.safeMint', [1n])
    expect(codesOf(report)).toEqual(['NFT_STAYS_BEHIND'])
    expect(report.findings[0]?.fix).toContain('safeMint')
    expect(report.execution).toMatchObject({ fix: report.findings[0]?.fix })
  })

  test.each([
    ['safeMint', 'MINTS_WITHOUT_HOOK'],
    ['returned', 'RETURNS_NO_ID'],
    ['knownTokenId', 'WRONG_NFT_ID'],
  ] as const)(
    'a call that itself delivers to the customer should be declared as `normal`, not as %s',
    async (type, code) => {
      const { address, abi } = merchantOf('LockedTicket')
      const transaction = {
        to: address,
        data: encodeFunctionData({ abi, functionName: 'buy', args: [wallet, amount] }),
      }
      const declared: Record<typeof type, TransactionData> = {
        safeMint: { type: 'safeMint', transaction },
        returned: { type: 'returned', transaction },
        knownTokenId: { transaction, nftContract: address, nftId: '1' },
      }
      expect(
        (await simulate('LockedTicket.buy', [wallet, amount], { transactionData: declared[type] })).findings,
      ).toMatchObject([{ code, fix: expect.stringContaining('declare the type `normal`') }])
      expect(await simulate('LockedTicket.buy', [wallet, amount])).toMatchObject({ verdict: 'ok' })
    },
  )

  test.each(['knownTokenId', 'returned'] as const)(
    'an ERC-1155 token of type %s is reported',
    async (type) => {
      const { address, abi } = await stage.deploy('SafeMintMerchant1155')
      await stage.allow(address)
      const data = encodeFunctionData({ abi, functionName: 'mint', args: [7n, 1n, amount] })
      const transaction = { to: address, data }
      const known = { transaction, nftContract: address, nftId: '7' }
      const { findings } = await simulate('NormalMerchant.buy', [receiver, amount], {
        transactionData: type === 'returned' ? { type, transaction } : known,
      })
      expect(findings).toMatchObject([
        { code: 'WRONG_NFT_ID', fix: expect.stringContaining('eclare the type `safeMint`') },
      ])
    },
  )

  test('a token that cannot be forwarded is reported: the call did not fail, and its payment was reverted', async () => {
    const { address, abi } = merchantOf('LockedTicket')
    const data = encodeFunctionData({ abi, functionName: 'buyForMyself', args: [amount] })
    const report = await simulate('LockedTicket.buy', [wallet, amount], {
      transactionData: { type: 'safeMint', transaction: { to: address, data } },
    })
    expect(report.findings).toMatchObject([
      {
        code: 'CALL_REVERTS',
        message: 'Forwarding the token to the customer fails: LockedTicket: stays where it is.',
        fix: expect.stringContaining('mint to the receiver in the call data'),
      },
    ])
    expect(report.usdc.wanted).toMatchObject([{ done: true, given: false }])
  })
})

describe('large reports', () => {
  test('10,000 events do not affect the verdict', async () => {
    const report = await simulate('TalkativeMerchant.sayMuch', [amount, 10_000n])
    expect(report.verdict).toBe('ok')
  })

  test('responses of many megabytes are truncated', async () => {
    const report = await simulate('TalkativeMerchant.answerMuch', [amount, 12n, 300_000n])
    expect(report.verdict).toBe('ok')
    expect(JSON.stringify(report, (_, value) => String(value)).length).toBeLessThan(2_000_000)
  })

  test('a revert of 300,000 bytes is reported', async () => {
    const report = await simulate('HostileMerchant.revertBomb', [300_000n])
    expect(codesOf(report)).toEqual(['CALL_REVERTS'])
  })
})

describe('the whitelist', () => {
  test('an address without an entry is reported', async () => {
    const { address, abi } = await stage.deploy('NormalMerchant')
    const report = await simulate('NormalMerchant.buy', [receiver, amount], {
      transactionData: buy(address, abi),
    })
    expect(codesOf(report)).toEqual(['NOT_WHITELISTED'])
    expect(report.whitelist).toMatchObject({ isAllowed: false, allowedSelectors: [] })
  })

  test('a function other than the allowed one names the allowed one', async () => {
    const { address, abi } = await stage.deploy('NormalMerchant')
    await stage.allow(address, { selector: '0x12345678' })
    const report = await simulate('NormalMerchant.buy', [receiver, amount], {
      transactionData: buy(address, abi),
    })
    expect(codesOf(report)).toEqual(['SELECTOR_NOT_WHITELISTED'])
    expect(report.whitelist.allowedSelectors).toEqual(['0x12345678'])
  })

  test('other problems and the required entry are reported too', async () => {
    const { address, abi } = await stage.deploy('PullsLess')
    const report = await simulate('NormalMerchant.buy', [receiver, amount], {
      transactionData: buy(address, abi),
    })
    expect(codesOf(report)).toEqual(['NOT_WHITELISTED', 'PULLS_LESS'])
    expect(report.execution).toMatchObject({ error: 'NotWhitelisted' })
    const { used, call = 0n, suggestedMinimumGas = 0n } = report.gas
    expect(call).toBeGreaterThan(50_000n)
    expect(suggestedMinimumGas).toBeGreaterThan(call)
    expect(used).toBeGreaterThan(call)
    expect(report.usdc).toMatchObject({ approved: amount, pulled: amount / 2n, refunded: amount / 2n })
    expect(report.whitelist).toMatchObject({ isAllowed: false, isAssumed: true })
  })

  test('what both runs find is reported once', async () => {
    const { address } = await stage.deploy('Upgradeable')
    const { abi } = merchantOf('NormalMerchant')
    const report = await simulate('NormalMerchant.buy', [receiver, amount], {
      transactionData: buy(address, abi),
      rules: 'all',
    })
    expect(codesOf(report)).toEqual(['NOT_WHITELISTED', 'RECEIVER_NOT_CUSTOMER', 'UPGRADEABLE'])
  })

  test.each([
    ['USDC', () => stage.usdc, 'NOT_WHITELISTED'],
    ['the credits contract', () => stage.creditsContract, 'NOT_WHITELISTED'],
    ['an address without code', () => receiver, 'NOT_WHITELISTED'],
  ])('%s cannot be on any whitelist', async (_, target, code) => {
    const { abi } = merchantOf('NormalMerchant')
    const report = await simulate('NormalMerchant.buy', [receiver, amount], {
      transactionData: buy(target(), abi),
    })
    expect(codesOf(report)).toEqual([code])
    expect(report.whitelist.forbidden).toBeDefined()
    expect(report.findings[0]?.fix).not.toMatch(/entry.*whitelist request/)
  })

  const buy = (to: Hex, abi: Abi): TransactionData => ({
    transaction: { to, data: encodeFunctionData({ abi, functionName: 'buy', args: [receiver, amount] }) },
  })
})

test('more tokens than one redeem forwards are reported', async () => {
  const { address, abi } = await stage.deploy('SafeMintMerchant721')
  await stage.allow(address)
  const report = await simulate('NormalMerchant.buy', [receiver, amount], {
    transactionData: {
      type: 'safeMint',
      transaction: {
        to: address,
        data: encodeFunctionData({ abi, functionName: 'mint', args: [17n, amount] }),
      },
    },
  })
  expect(report.findings).toMatchObject([
    {
      code: 'CALL_REVERTS',
      message: expect.stringContaining('maximum 16'),
      fix: 'Mint at most 16 tokens in one redeem.',
    },
  ])
})

test('a token redeem pays its destination', async () => {
  const report = await simulate('NormalMerchant.buy', [receiver, amount], {
    transactionData: { type: 'token', destination: receiver },
  })
  expect(report).toMatchObject({
    verdict: 'ok',
    whitelist: { isNeeded: false },
    usdc: { received: [{ account: receiver, amount }] },
  })
})

test('a decent redeem pays the bridge, and the other chain is not judged', async () => {
  const dstToken: Hex = '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'
  const args = [42161n, dstToken, 1_000_000n] as const
  await administer(stage.rpc, stage.bridgeAdapter, { functionName: 'setRoute', args })
  await stage.allow(receiver, { chainId: 42161 })
  const report = await simulate('NormalMerchant.buy', [receiver, amount], {
    transactionData: {
      type: 'decent',
      dstChainId: 42161,
      dstToken,
      contractAddress: receiver,
      contractData: '0x12345678',
      cost: { isNative: false, amount: '9000000' },
    },
  })
  expect(report).toMatchObject({
    findings: [],
    execution: { succeeded: true },
    usdc: { pulled: 9_000_000n, refunded: 1_000_000n, received: [{ account: stage.bridgeAdapter }] },
  })
  expect(report.notJudged.map(({ code }) => code)).toContain('PULLS_LESS')
  expect(report.notJudged.map(({ code }) => code)).not.toContain('UPGRADEABLE')
})

test('a wallet without credits is reported', async () => {
  const report = await simulate('NormalMerchant.buy', [receiver, amount], { wallet: receiver })
  expect(report.execution).toMatchObject({ error: 'InsufficientCredits', at: [] })
  expect(report.findings[0]?.fix).toContain('credits')
})

test.each([
  [
    'has no debug methods',
    (method: string) =>
      method.startsWith('debug_') ? { code: -32601, message: 'Method not found' } : undefined,
  ],
  [
    // The error of Hardhat 2.29's node for a chain with EIP-7825.
    'supports only its own trace format',
    (method: string, [call]: readonly unknown[]) => {
      if (method === 'eth_call' && BigInt(Object(call).gas ?? 0) > 16_777_216n)
        return {
          code: -32000,
          message: 'transaction gas limit (29000000) is greater than the cap (16777216)',
        }
      const message =
        'Hardhat currently only supports the default tracer, so no tracer parameter should be passed.'
      return method === 'debug_traceCall' ? { code: -32602, message } : undefined
    },
  ],
] as const)('a node that %s is reported, with the fix', async (_, errorOf) => {
  const { address, abi } = merchantOf('NormalMerchant')
  const client = {
    request: (call: { method: string; params?: unknown }) => {
      const error = errorOf(call.method, Array.isArray(call.params) ? call.params : [])
      return error === undefined
        ? stage.client.request(call)
        : Promise.reject(Object.assign(new Error(error.message), error))
    },
  }
  const redeem = {
    creditsContract: stage.creditsContract,
    creditSeed,
    relayer,
    wallet,
    amount,
    transactionData: {
      transaction: {
        to: address,
        data: encodeFunctionData({ abi, functionName: 'buy', args: [receiver, amount] }),
      },
    },
  }
  await expect(simulateRedeem(client, redeem)).rejects.toThrow(
    expect.objectContaining({ name: 'TracingUnavailableError', fix: expect.stringContaining('--fork-url') }),
  )
})

test('a node that ignores state overrides is reported: the wallet is not simulated there', async () => {
  const { address, abi } = merchantOf('NormalMerchant')
  const client = {
    request: ({ method, params }: { method: string; params?: unknown }) => {
      if (method !== 'debug_traceCall' || !Array.isArray(params))
        return stage.client.request({ method, params })
      const [call, block, { stateOverrides: _, ...tracer }] = params
      return stage.client.request({ method, params: [call, block, tracer] })
    },
  }
  const data = encodeFunctionData({ abi, functionName: 'buy', args: [receiver, amount] })
  const transactionData = { transaction: { to: address, data } }
  const { creditsContract } = stage
  const redeem = { creditsContract, creditSeed, relayer, wallet, amount, transactionData }
  await expect(simulateRedeem(client, redeem)).rejects.toThrow(
    expect.objectContaining({
      name: 'TracingUnavailableError',
      message: expect.stringMatching(/stateOverrides/),
    }),
  )
})

test('a credits contract without intent-bound permits is rejected, and the error says why', async () => {
  const { address: creditsContract } = await stage.deploy('RandomNonceCredits', [
    stage.usdc,
    relayer,
    0,
    relayer,
    zeroAddress,
    { bridgeAdapter: zeroAddress, ownContracts: [], grants: [] },
  ])
  await expect(simulate('NormalMerchant.buy', [receiver, amount], { creditsContract })).rejects.toThrow(
    /does not support intent-bound permits/,
  )
})

test('an address without a credits contract is rejected', async () => {
  await expect(
    simulate('NormalMerchant.buy', [receiver, amount], { creditsContract: stage.usdc }),
  ).rejects.toThrow(expect.objectContaining({ name: 'UnsupportedCreditsContractError' }))
})

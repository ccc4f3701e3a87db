import { encodeFunctionData, type Hex, pad, parseAbi, toHex } from 'viem'
import type { CallFrame, RedeemReport } from '../redeemReport.ts'

export const accounts = {
  customer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  credits: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  usdcCode: '0xd74cc5d436923b8BA2c179B4bca2841D8A52C5b5',
  shop: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  relayer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  stranger: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
} as const

const { customer, credits, usdc, usdcCode, shop, relayer } = accounts
const moneyAbi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function allowance(address owner, address spender) view',
])

export function frame(changes: Partial<CallFrame> = {}): CallFrame {
  return {
    type: 'CALL',
    from: credits,
    to: shop,
    value: 0n,
    input: '0x',
    output: '0x',
    gas: 1_000_000n,
    gasUsed: 1_234n,
    text: undefined,
    failure: undefined,
    logs: [],
    calls: [],
    ...changes,
  }
}

/** Returns a USDC call as on real chains, where USDC is a proxy with an implementation. */
export function usdcFrame(
  from: Hex,
  [functionName, args]: ['approve' | 'transferFrom' | 'allowance', readonly unknown[]],
  changes: Partial<CallFrame> = {},
): CallFrame {
  // Encodes a call of one of the three functions.
  const input = encodeFunctionData({ abi: moneyAbi, functionName, args } as never)
  const output = pad('0x01')
  const code = frame({
    ...changes,
    type: 'DELEGATECALL',
    from: usdc,
    to: usdcCode,
    input,
    output,
    ...changes,
  })
  const type = functionName === 'allowance' ? 'STATICCALL' : 'CALL'
  return frame({ type, from, to: usdc, input, output, gasUsed: 34_512n, ...changes, calls: [code] })
}

export const price = 10_000_000n

export function shopFrame(changes: Partial<CallFrame> = {}): CallFrame {
  return frame({
    input: '0xcce7ec13',
    gasUsed: 84_123n,
    text: `buy(address receiver = ${customer}, uint256 price = 10000000)`,
    output: pad(toHex(7)),
    logs: [
      {
        address: shop,
        topics: [],
        data: '0x',
        text: `Bought(uint256 order = 7, address buyer = ${credits}, address receiver = ${customer}, uint256 price = 10000000)`,
      },
    ],
    calls: [usdcFrame(shop, ['transferFrom', [credits, shop, price]])],
    ...changes,
  })
}

export function redeemFrame(calls: readonly CallFrame[], changes: Partial<CallFrame> = {}): CallFrame {
  return frame({
    from: relayer,
    to: credits,
    input: '0x12345678',
    gasUsed: 212_345n,
    text: `redeem(request = { permit = { customerWallet = ${customer}, creditSeed = "my-shop" } })`,
    calls,
    ...changes,
  })
}

/** Returns a normal redeem of 10 USD that succeeds and breaks no rule. */
export function report(changes: Partial<RedeemReport> = {}): RedeemReport {
  return {
    verdict: 'ok',
    findings: [],
    notJudged: [],
    redeem: {
      shape: 'normal',
      wallet: customer,
      relayer,
      creditSeed: 'my-shop',
      target: shop,
      selector: '0xcce7ec13',
      signature: 'buy(address,uint256)',
      amount: price,
      usdcAmount: 4_000_000n,
      blockNumber: 123n,
      hash: undefined,
      signatures: 'assumed',
    },
    whitelist: {
      isNeeded: true,
      isAllowed: true,
      isAssumed: false,
      minimumGas: 200_000n,
      forbidden: undefined,
      allowedSelectors: ['any'],
    },
    execution: { succeeded: true },
    usdc: {
      approved: price,
      pulled: price,
      refunded: 0n,
      received: [{ account: shop, amount: price }],
      wanted: [{ by: shop, from: credits, to: shop, amount: price, done: true, given: true }],
    },
    nfts: [],
    gas: { used: 212_345n, call: 84_123n, suggestedMinimumGas: 130_000n, fee: 30_000n, charged: 6_030_000n },
    leftBehind: [],
    callTree: redeemFrame([
      usdcFrame(credits, ['approve', [shop, price]]),
      shopFrame(),
      usdcFrame(credits, ['allowance', [credits, shop]], { output: pad('0x00') }),
    ]),
    ...changes,
  }
}

export function soldOutReport(changes: Partial<RedeemReport> = {}): RedeemReport {
  const output = '0x52df9fe5'
  const base = report()
  return {
    ...base,
    verdict: 'refuse',
    findings: [
      {
        severity: 'danger',
        code: 'CALL_REVERTS',
        message: 'The call fails: SoldOut: limit 5.',
        fix: 'Find the failing call and its reason in the call tree.',
      },
    ],
    execution: {
      succeeded: false,
      at: [1],
      contract: shop,
      error: 'SoldOut',
      reason: 'SoldOut: limit 5',
      data: output,
      fix: 'Sell more, or none.',
    },
    usdc: { ...base.usdc, pulled: 0n, received: [] },
    callTree: redeemFrame(
      [
        usdcFrame(credits, ['approve', [shop, price]]),
        shopFrame({ calls: [], logs: [], output, failure: 'SoldOut: limit 5' }),
      ],
      { output: `0xa1b2c3d4${output.slice(2)}`, failure: 'CallFailed: SoldOut' },
    ),
    ...changes,
  }
}

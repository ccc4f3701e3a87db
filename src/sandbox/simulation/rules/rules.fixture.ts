import { type Hex, pad, slice, zeroAddress } from 'viem'
import { noBridge, type Settlement } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { CallFrame } from '../redeemReport.ts'
import type { RedeemPlan, Run } from '../runPlan.ts'
import { accounts, frame, price, redeemFrame, report } from '../text/report.fixture.ts'
import { usdcTransferCalls } from '../trace/moves.ts'
import { storageRead } from '../trace/prestate.ts'
import type { RuleContext } from './rule.ts'

const { credits, shop, usdc } = accounts

/** Requests that are not listed return empty results. */
export type KnownNode = {
  codes?: Record<string, Hex>
  storage?: Record<Hex, Hex>
  /** Results of `eth_call`, by the called address and the beginning of the data. */
  calls?: Record<string, Hex>
  prestate?: Readonly<Record<string, object>>
  /** Which calls of a sequence (`callInSequence`) succeed. Each returns the largest uint256. */
  succeeds?: ((call: { to: Hex; value: bigint; gas: bigint; data: Hex }) => boolean) | undefined
}

export function ruleContext(
  call: CallFrame | undefined = frame(),
  options: KnownNode &
    Partial<RuleContext> &
    Pick<Partial<RedeemPlan>, 'signatures'> & { data?: Hex; again?: CallFrame } = {},
): RuleContext {
  const { codes = {}, storage = {}, calls = {}, data = '0x', again, prestate = {}, succeeds } = options
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const [first, second] = params as [unknown, string] // the parameters of JSON-RPC
    if (method === 'eth_getCode') return codes[String(first)] ?? '0x'
    if (method === 'debug_traceCall') return prestate
    if (method === 'eth_getStorageAt') return storage[second as Hex] ?? pad('0x00')
    if (method !== 'eth_call') throw new Error(`The node of this test has no response for ${method}.`)
    const { to, data: asked } = first as { to: Hex; data: Hex }
    if (succeeds !== undefined) return answerSequence(asked, succeeds)
    return Object.entries(calls).find(([key]) => `${to} ${asked}`.startsWith(key))?.[1] ?? '0x'
  }
  const client = { request }
  const root = redeemFrame(call === undefined ? [] : [call])
  const settlement: Settlement = {
    kind: 1,
    target: shop,
    data,
    nftContract: zeroAddress,
    nftId: 0n,
    bridge: noBridge,
  }
  const context = {
    client,
    creditsContract: credits,
    usdc,
    redeem: { ...report().redeem, signature: undefined },
    settlement,
    frame: root,
    call,
    rerun: async (): Promise<Run> => {
      const other = redeemFrame(again === undefined ? [] : [again], again && { failure: again.failure })
      return { succeeded: other.failure === undefined, frame: other }
    },
    reads: () =>
      storageRead(client, { from: credits, to: shop, data: '0x', gas: 1n, blockNumber: 1n, overrides: {} }),
    ...options,
  }
  return {
    ...context,
    plan: planOf(context, options),
    changes: async () => [],
    callAlone: () => context.rerun({}),
    traceSequence: async () => context.frame,
    hashed: async () => [],
    entry: report().whitelist,
    execution: { succeeded: true },
    pulled: price,
    transferCalls: usdcTransferCalls(call, usdc),
    tokens: [],
    allowances: [],
    ...options,
  }
}

function answerSequence(asked: Hex, succeeds: NonNullable<KnownNode['succeeds']>): Hex {
  const word = (at: number) => BigInt(slice(asked, at, at + 32))
  let answer = ''
  let at = 32
  for (let left = word(0); left > 0n; left--) {
    const length = Number(word(at + 96))
    const call = {
      to: slice(asked, at + 12, at + 32),
      value: word(at + 32),
      gas: word(at + 64),
      data: length === 0 ? '0x' : slice(asked, at + 128, at + 128 + length),
    } as const
    answer += `${succeeds(call) ? '1' : '0'}`.padStart(64, '0') + '20'.padStart(64, '0') + 'f'.repeat(128)
    at += 128 + length
  }
  return `0x${answer}`
}

function planOf(
  {
    client,
    creditsContract,
    usdc,
    settlement,
  }: Pick<RuleContext, 'client' | 'creditsContract' | 'usdc' | 'settlement'>,
  { signatures = 'assumed' }: Pick<Partial<RedeemPlan>, 'signatures'>,
): RedeemPlan {
  const nonce = pad('0x1')
  return {
    client,
    chainId: 84_532,
    creditsContract,
    usdc,
    relayer: accounts.relayer,
    signatures,
    blockNumber: 123n,
    timestamp: 1n,
    request: {
      permit: {
        customerWallet: accounts.customer,
        creditSeed: 'my-shop',
        amount: price,
        validBefore: 2n,
        nonce,
        signature: '0x',
      },
      intent: { amount: price, usdcAmount: 0n, salt: nonce },
      settlement,
      usdcAuthorization: { method: 0, signature: '0x' },
      gasFee: 0n,
    },
  }
}

export const failedWith = (error: string, at: readonly number[] = []): RuleContext['execution'] => ({
  succeeded: false,
  at,
  contract: at.length === 0 ? credits : shop,
  error,
  reason: `${error}()`,
  data: '0x12345678',
  fix: 'Fix it.',
})

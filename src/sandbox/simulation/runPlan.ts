import { encodeFunctionData, erc20Abi, type Hex, toFunctionSelector } from 'viem'
import { mostTransactionGas } from '../../redeemkit/core/limits.ts'
import { ChainReadError, type EvmClient } from '../../redeemkit/evm/client.ts'
import { sameHex } from '../../redeemkit/evm/values.ts'
import { TracingUnavailableError } from './errors.ts'
import type { CallFrame } from './redeemReport.ts'
import {
  agreeableCode,
  assumedRequest,
  nextRequest,
  type RedeemRequest,
  redeemCall,
} from './redeemRequest.ts'
import { type SequenceCall, sequenceCode, sequenceData } from './trace/callInSequence.ts'
import { targetCall, walkFrames } from './trace/frames.ts'
import { lastCheck } from './trace/lastCheck.ts'
import { hashedData, type StorageSlot, storageChanges, storageRead } from './trace/prestate.ts'
import { type BlockOverrides, type Overrides, type SimulatedCall, traceCall } from './trace/traceCall.ts'

export async function runPlan(plan: RedeemPlan): Promise<CallFrame> {
  const frame = await traceCall(plan.client, {
    from: plan.relayer,
    ...redeemCall(plan, plan.request),
    gas: mostTransactionGas,
    blockNumber: plan.blockNumber,
    overrides: overridesOf(plan),
  })
  if (plan.signatures === 'assumed' && isWalletRefused(plan, frame))
    throw new TracingUnavailableError('The node ignores the stateOverrides of debug_traceCall.', {
      field: 'client',
      fix: 'Pass a signer, or use a node that supports them, such as a local fork: npx redeemkit sandbox --chain base --fork-url URL.',
      source: 'https://github.com/erigontech/erigon/issues/3495',
    })
  return frame
}

/** Whether the permit's signature was rejected before the target was called. This cannot happen with `agreeableCode`. */
function isWalletRefused({ request }: RedeemPlan, { output, calls }: CallFrame): boolean {
  return (
    output.startsWith(invalidPermitSignature) &&
    !calls.some(({ to }) => sameHex(to, request.settlement.target))
  )
}

const invalidPermitSignature = toFunctionSelector('InvalidPermitSignature(address,bytes32)')

export type Circumstances = {
  /** Runs the redeem this many seconds later, with a matching number of blocks. The permit remains valid. */
  seconds?: number | undefined
  /** Runs the redeem in a block with this randomness, another proposer, a higher base fee and a gas price. */
  randomness?: Hex | undefined
  /** Runs the redeem as sent by this account, without a gas fee. */
  relayer?: Hex | undefined
  callGas?: bigint | undefined
  /** Runs after the same redeem was executed once, with a different salt. */
  second?: boolean | undefined
  state?: Overrides | undefined
  /** Whether to return only the outermost call, with success and gas, which costs the node less. */
  onlyTopCall?: boolean | undefined
}

export type Run = { succeeded: boolean; frame: CallFrame }

export type Reruns = {
  rerun: (circumstances: Circumstances) => Promise<Run>
  changes: (circumstances: Circumstances) => Promise<readonly StorageSlot[]>
  /** Makes only the target's call, from the credits contract, while the wallet has its real code. */
  callAlone: () => Promise<Run>
  /** Makes calls as the relayer in one transaction, on top of the assumed state. Returns the outermost call, which contains them. */
  traceSequence: (calls: readonly SequenceCall[], overrides: Overrides) => Promise<CallFrame>
  /** The slots that the redeem reads or writes, with their values before it. */
  reads: () => Promise<readonly StorageSlot[]>
  /** Describes what a call did before it reverted without data (`lastCheck`); `undefined` also if it cannot be traced. */
  lastCheck: (depth: number) => Promise<string | undefined>
  hashed: () => Promise<readonly Hex[]>
}

export function createReruns(plan: RedeemPlan, first: CallFrame): Reruns {
  const isLong = first.gasUsed > mostTracedGas
  // The gas is calculated from a run that is otherwise identical.
  const assumed = once(async () =>
    plan.signatures === 'assumed' ? first : traceCall(plan.client, redeemCallFor(plan, {})),
  )
  const changes = once(() => storageChanges(plan.client, redeemCallFor(plan, {})))
  const simulatedCall = async (circumstances: Circumstances): Promise<SimulatedCall> => {
    const { callGas } = circumstances
    if (callGas === undefined) return redeemCallFor(plan, circumstances)
    const gas = gasFor(plan, { callGas, frame: await assumed() })
    return redeemCallFor(plan, { ...circumstances, gas })
  }
  return {
    rerun: async (circumstances) => {
      if (circumstances.second) return traceSecond(plan, circumstances)
      return runOf(await traceCall(plan.client, await simulatedCall(circumstances)))
    },
    changes: async (circumstances) =>
      Object.keys(circumstances).length === 0
        ? changes()
        : storageChanges(plan.client, await simulatedCall(circumstances)),
    callAlone: async () => {
      const root = await traceCall(plan.client, callAlone(plan, false))
      return runOf(root.calls[1] ?? root)
    },
    traceSequence: (calls, overrides) =>
      traceSequence(plan, calls, { overrides: { ...plan.assumed, ...overrides } }),
    reads: () => storageRead(plan.client, redeemCallFor(plan, {})),
    lastCheck: async (depth) => {
      try {
        return isLong ? undefined : await lastCheck(plan.client, { call: redeemCallFor(plan, {}), depth })
      } catch (error) {
        // The reason of the failure is reported even without this description.
        if (error instanceof ChainReadError || error instanceof TracingUnavailableError) return undefined
        throw error
      }
    },
    hashed: once(async () => {
      if (isLong)
        throw new TracingUnavailableError('The redeem is too long to trace the values that it hashes.')
      // The target's call alone has a quarter of the instructions.
      return hashedData(
        plan.client,
        isIndependent(plan, first) ? callAlone(plan, true) : redeemCallFor(plan, {}),
      )
    }),
  }
}

/** Asks the node only once, because several rules need the result. */
function once<answer>(ask: () => Promise<answer>): () => Promise<answer> {
  let asked: Promise<answer> | undefined
  return () => {
    asked ??= ask()
    return asked
  }
}

/** Maximum gas to trace. A JavaScript tracer takes seconds, in which the node answers no other request. */
const mostTracedGas = 2_000_000n

/** Returns the gas limit of the transaction with which the target's call gets this much gas. */
function gasFor(plan: RedeemPlan, options: { callGas: bigint; frame: CallFrame }): bigint {
  const { callGas, frame } = options
  const { creditsContract, request } = plan
  const call = targetCall(frame, { creditsContract, settlement: request.settlement })
  if (call === undefined) return mostTransactionGas
  // A call gets all but 1/64 of the remaining gas.
  const left = (gas: bigint) => (call.depth === 1 ? leftAt(gas) : leftAt(leftAt(gas)))
  return mostTransactionGas - left(call.frame.gas) + left(callGas)
}

const leftAt = (callGas: bigint) => (callGas * 64n + 62n) / 63n

function redeemCallFor(plan: RedeemPlan, options: Circumstances & { gas?: bigint }): SimulatedCall {
  const { relayer = plan.relayer, gas = mostTransactionGas, onlyTopCall, state } = options
  const asked = assumedRequest(plan.request)
  const request = relayer === plan.relayer ? asked : { ...asked, gasFee: 0n }
  return {
    from: relayer,
    ...redeemCall(plan, request),
    blockNumber: plan.blockNumber,
    ...anotherBlock(plan, options),
    gas,
    onlyTopCall,
    overrides: {
      ...overridesOf({ ...plan, signatures: 'assumed' }),
      ...(options.randomness !== undefined && { [relayer]: { balance: enoughForGas } }),
      ...state,
    },
  }
}

function anotherBlock(
  plan: RedeemPlan,
  { seconds, randomness }: Circumstances,
): Pick<SimulatedCall, 'block' | 'gasPrice'> {
  if (seconds !== undefined) {
    const by = BigInt(seconds)
    const number = plan.block?.number ?? plan.blockNumber
    return {
      block: { ...plan.block, time: plan.timestamp + by, number: number + by / blockSeconds },
    }
  }
  if (randomness === undefined) return { block: plan.block }
  const block = {
    ...plan.block,
    prevRandao: randomness,
    feeRecipient: anotherProposer,
    baseFeePerGas: dearGas,
    gasLimit: 4n * mostTransactionGas,
  }
  return { block, gasPrice: dearGas }
}

/** Typical block time. The exact number of blocks does not matter. */
const blockSeconds = 2n
/** An unused address: the last bytes of keccak256("another proposer"). */
const anotherProposer: Hex = '0x838a6e47cc6130d06bc955e05f2f3c91a8c721f4'
/** In wei. */
const dearGas = 50_000_000_000n
const enoughForGas = mostTransactionGas * dearGas

async function traceSecond(plan: RedeemPlan, options: Circumstances): Promise<Run> {
  const request = assumedRequest(plan.request)
  const calls = [request, nextRequest(request, plan.bridgeAdapter)].map((one) => redeemCall(plan, one))
  const both = await traceSequence(plan, calls, redeemCallFor(plan, options))
  return runOf(both.calls[1] ?? both)
}

function traceSequence(
  plan: RedeemPlan,
  calls: readonly SequenceCall[],
  at: Pick<SimulatedCall, 'overrides' | 'block' | 'gasPrice'>,
): Promise<CallFrame> {
  const { client, relayer, blockNumber } = plan
  const { block = plan.block, gasPrice } = at
  return traceCall(client, {
    from: relayer,
    to: relayer,
    data: sequenceData(calls),
    gas: 2n * mostTransactionGas,
    blockNumber,
    block,
    gasPrice,
    overrides: { ...at.overrides, [relayer]: { ...at.overrides[relayer], code: sequenceCode } },
  })
}

/** The credits contract gets code that only approves the amount and makes the call, so that no signature is needed. */
function callAlone(plan: RedeemPlan, hasWalletCode: boolean): SimulatedCall {
  const { relayer, creditsContract, usdc, request, blockNumber, block, assumed } = plan
  return {
    from: relayer,
    to: creditsContract,
    data: sequenceData(settlementCalls(request, usdc)),
    gas: 2n * mostTransactionGas,
    blockNumber,
    block,
    overrides: {
      ...(hasWalletCode ? overridesOf({ ...plan, signatures: 'assumed' }) : assumed),
      [creditsContract]: { ...assumed?.[creditsContract], code: sequenceCode },
    },
  }
}

/** Whether the target's call does not depend on the credits contract: it neither calls it nor spends USDC that the customer adds. */
function isIndependent(plan: RedeemPlan, first: CallFrame): boolean {
  const { creditsContract, request } = plan
  const call = targetCall(first, { creditsContract, settlement: request.settlement })?.frame
  if (call === undefined || call.failure !== undefined || request.intent.usdcAmount > 0n) return false
  return ![...walkFrames(call)].some(({ frame }) => sameHex(frame.to, creditsContract))
}

/** Approves the amount, then calls the target. */
export function settlementCalls(
  { intent: { amount }, settlement: { target, data } }: Pick<RedeemRequest, 'intent' | 'settlement'>,
  usdc: Hex,
): [approval: SequenceCall, call: SequenceCall] {
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [target, amount] })
  return [
    { to: usdc, data: approve },
    { to: target, data },
  ]
}

const runOf = (frame: CallFrame): Run => ({ succeeded: frame.failure === undefined, frame })

export function overridesOf(plan: Pick<RedeemPlan, 'signatures' | 'request' | 'assumed'>): Overrides {
  const wallet: Hex = plan.request.permit.customerWallet
  return { ...plan.assumed, ...(plan.signatures === 'assumed' && { [wallet]: { code: agreeableCode } }) }
}

export type RedeemPlan = {
  client: EvmClient
  chainId: number
  creditsContract: Hex
  usdc: Hex
  bridgeAdapter?: Hex | undefined
  relayer: Hex
  request: RedeemRequest
  /** `assumed`: a contract that accepts every signature replaces the wallet. */
  signatures: 'real' | 'assumed'
  blockNumber: bigint
  /** The block that contains a mined redeem. Reruns see its number, time and randomness. */
  block?: BlockOverrides | undefined
  /** Timestamp of the block that the redeem sees, in unix seconds. */
  timestamp: bigint
  assumed?: Overrides | undefined
}

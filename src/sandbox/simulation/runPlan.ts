import { encodeFunctionData, erc20Abi, type Hex, toFunctionSelector } from 'viem'
import type { EvmClient } from '../../redeemkit/evm/client/evmClient.ts'
import { TracingUnavailableError } from './errors.ts'
import { playData, playerCode } from './node/playCalls.ts'
import { type StorageChange, slotsRead, storageChanges } from './node/prestate.ts'
import { type Overrides, type TriedCall, traceCall } from './node/traceCall.ts'
import type { CallFrame } from './redeemReport.ts'
import {
  agreeableCode,
  assumedRequest,
  nextRequest,
  type RedeemRequest,
  redeemCall,
} from './redeemRequest.ts'
import { sameAddress, targetCall } from './trace/frames.ts'

/** The most gas that one transaction may have (EIP-7825). */
export const mostTransactionGas = 2n ** 24n

/**
 * Runs a redeem as it is.
 *
 * @throws TracingUnavailableError, also for a node that passes over what is to stand in an account's place; ChainReadError
 */
export async function runPlan(plan: RedeemPlan): Promise<CallFrame> {
  const frame = await traceCall(plan.client, {
    from: plan.relayer,
    ...redeemCall(plan, plan.request),
    gas: mostTransactionGas,
    blockNumber: plan.blockNumber,
    overrides: overridesOf(plan),
  })
  if (plan.signatures === 'assumed' && isWalletRefused(plan, frame))
    throw new TracingUnavailableError('The node passes over the stateOverrides of debug_traceCall.', {
      field: 'client',
      fix: 'Give a signer, or ask a node that takes them. A local fork does: npx redeemkit sandbox --chain base --fork-url URL.',
      docs: 'https://github.com/erigontech/erigon/issues/3495',
    })
  return frame
}

/** Whether the permit's signature was refused, before the target was called: code that agrees to everything never is. */
function isWalletRefused({ request }: RedeemPlan, { output, calls }: CallFrame): boolean {
  return (
    output.startsWith(invalidPermitSignature) &&
    !calls.some(({ to }) => sameAddress(to, request.settlement.target))
  )
}

const invalidPermitSignature = toFunctionSelector('InvalidPermitSignature(address,bytes32)')

/** How a further run differs from the first. */
export type Circumstances = {
  /** Later by so many seconds, and by as many blocks as come in them. The permit stays good. */
  seconds?: number | undefined
  /** In a block of another proposer, with this randomness, dearer, and at a price. */
  randomness?: Hex | undefined
  /** Sent by this account. Without a gas fee when it is no operator. */
  relayer?: Hex | undefined
  /** Gas that is left for the call of the target. */
  callGas?: bigint | undefined
  /** After the redeem was done once already, with another salt. */
  second?: boolean | undefined
  /** With this state beside what is assumed already. */
  state?: Overrides | undefined
  /** The run has the outermost call alone: whether it went through, and its gas. Costs the node less. */
  onlyTopCall?: boolean | undefined
}

export type Run = { succeeded: boolean; frame: CallFrame }

/** Runs redeems again under other circumstances; see `Circumstances`. */
export type Reruns = {
  rerun: (circumstances: Circumstances) => Promise<Run>
  /** What is stored differently afterwards. */
  changes: (circumstances: Circumstances) => Promise<readonly StorageChange[]>
  /** The call of the target alone, by the credits contract, while the customer's wallet has the code that it really has. */
  callAlone: () => Promise<Run>
  /** The words of a contract's storage that it reads or writes, as they are before. */
  reads: (of: Hex) => Promise<Readonly<Record<Hex, Hex>>>
}

/**
 * @param first what came of the redeem as it is
 */
export function createReruns(plan: RedeemPlan, first: CallFrame): Reruns {
  let baseline: Promise<CallFrame> | undefined
  // Gas is counted from a run that differs in nothing else.
  const assumed = () => {
    baseline ??=
      plan.signatures === 'assumed' ? Promise.resolve(first) : traceCall(plan.client, triedRedeem(plan, {}))
    return baseline
  }
  const tried = async (circumstances: Circumstances): Promise<TriedCall> => {
    const { callGas } = circumstances
    if (callGas === undefined) return triedRedeem(plan, circumstances)
    const gas = gasFor(plan, { callGas, frame: await assumed() })
    return triedRedeem(plan, { ...circumstances, gas })
  }
  return {
    rerun: async (circumstances) => {
      if (circumstances.second) return traceSecond(plan, circumstances)
      return runOf(await traceCall(plan.client, await tried(circumstances)))
    },
    changes: async (circumstances) => storageChanges(plan.client, await tried(circumstances)),
    callAlone: () => traceCallAlone(plan),
    reads: (of) => slotsRead(plan.client, { of, call: triedRedeem(plan, {}) }),
  }
}

/** Gas of the transaction, for the call of the target to be left with so much. */
function gasFor(plan: RedeemPlan, options: { callGas: bigint; frame: CallFrame }): bigint {
  const { callGas, frame } = options
  const { target, data } = plan.request.settlement
  const call = targetCall(frame, { creditsContract: plan.creditsContract, target, data })?.frame
  if (call === undefined) return mostTransactionGas
  // A call gets all but 1/64 of what is left.
  return mostTransactionGas - leftAt(call.gas) + leftAt(callGas)
}

const leftAt = (callGas: bigint) => (callGas * 64n + 62n) / 63n

/** The redeem as a call that nobody has to sign. */
function triedRedeem(plan: RedeemPlan, options: Circumstances & { gas?: bigint }): TriedCall {
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
): Pick<TriedCall, 'block' | 'gasPrice'> {
  if (seconds !== undefined) {
    const by = BigInt(seconds)
    return { block: { time: plan.timestamp + by, number: plan.blockNumber + by / blockSeconds } }
  }
  if (randomness === undefined) return {}
  const block = {
    prevRandao: randomness,
    feeRecipient: anotherProposer,
    baseFeePerGas: dearGas,
    gasLimit: 4n * mostTransactionGas,
  }
  return { block, gasPrice: dearGas }
}

/** Of most chains: how many blocks an hour has is no matter. */
const blockSeconds = 2n
/** Nobody's: the last bytes of keccak256("another proposer"). */
const anotherProposer: Hex = '0x838a6e47cc6130d06bc955e05f2f3c91a8c721f4'
/** In wei. */
const dearGas = 50_000_000_000n
const enoughForGas = mostTransactionGas * dearGas

/** The same redeem after it was done once. */
async function traceSecond(plan: RedeemPlan, options: Circumstances): Promise<Run> {
  const first = triedRedeem(plan, options)
  const request = assumedRequest(plan.request)
  const both = await traceCall(plan.client, {
    ...first,
    // The outermost call is that of both.
    onlyTopCall: false,
    to: first.from,
    data: playData([request, nextRequest(request, plan.bridgeAdapter)].map((one) => redeemCall(plan, one))),
    gas: 2n * mostTransactionGas,
    overrides: { ...first.overrides, [first.from]: { code: playerCode } },
  })
  return runOf(both.calls[1] ?? both)
}

/** Where the credits contract stands is code that approves the amount and makes the call: nothing asks for a signature. */
async function traceCallAlone(plan: RedeemPlan): Promise<Run> {
  const { client, relayer, creditsContract, usdc, request, blockNumber, assumed } = plan
  const { target, data } = request.settlement
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [target, request.intent.amount],
  })
  const root = await traceCall(client, {
    from: relayer,
    to: creditsContract,
    data: playData([
      { to: usdc, data: approve },
      { to: target, data },
    ]),
    gas: 2n * mostTransactionGas,
    blockNumber,
    overrides: { ...assumed, [creditsContract]: { ...assumed?.[creditsContract], code: playerCode } },
  })
  return runOf(root.calls[1] ?? root)
}

const runOf = (frame: CallFrame): Run => ({ succeeded: frame.failure === undefined, frame })

/** The wallet, when it is played, and what else is assumed. */
export function overridesOf(plan: Pick<RedeemPlan, 'signatures' | 'request' | 'assumed'>): Overrides {
  const wallet: Hex = plan.request.permit.customerWallet
  return { ...plan.assumed, ...(plan.signatures === 'assumed' && { [wallet]: { code: agreeableCode } }) }
}

/** A redeem, and the state of the chain on which it is tried. */
export type RedeemPlan = {
  client: EvmClient
  chainId: number
  creditsContract: Hex
  usdc: Hex
  /** There for a decent redeem. */
  bridgeAdapter?: Hex | undefined
  relayer: Hex
  request: RedeemRequest
  /** `assumed`: the wallet is played by code that agrees to everything. */
  signatures: 'real' | 'assumed'
  blockNumber: bigint
  /** Of that block, unix seconds. */
  timestamp: bigint
  /** State that is not the chain's. */
  assumed?: Overrides | undefined
}

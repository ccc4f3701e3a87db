import type { Abi, Hex } from 'viem'
import { askNode, toQuantity } from '../../evm/client/askNode.ts'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import { describeRevert } from '../abi/describeRevert.ts'
import type { CallFrame, ReportedExecution } from '../redeemReport.ts'
import { type Failure, failureOf } from '../trace/failureOf.ts'
import { outOfGas, reverted } from '../trace/failures.ts'
import { type FailedStep, fixOf } from './fixOf.ts'

/** Why a redeem failed, where, and what to change. */
export async function executionOf(
  root: CallFrame,
  options: { client: EvmClient; blockNumber: bigint; abis: readonly Abi[]; step: FailedStep },
): Promise<ReportedExecution> {
  const failure = failureOf(root)
  if (failure === undefined) return { succeeded: true }
  const { frame, at } = failure
  const said = describeRevert(frame.output, options.abis)
  const error = frame.output === '0x' ? undefined : said.name
  const reason = await reasonOf(failure, { ...options, reason: said.reason })
  return {
    succeeded: false,
    at,
    contract: frame.to ?? frame.from,
    error,
    reason,
    data: frame.output,
    fix: fixOf({ frame, error, reason, args: said.args, step: options.step }),
  }
}

async function reasonOf(
  { frame }: Failure,
  options: { client: EvmClient; blockNumber: bigint; reason: string },
): Promise<string> {
  if (frame.failure !== reverted) return frame.failure ?? outOfGas
  if (frame.output !== '0x') return options.reason
  const selector = selectorOf(frame)
  const silent = 'it reverted without a reason'
  if (frame.to === undefined || frame.calls.length > 0) return silent
  if (selector === undefined) return `${silent}: it was called without data`
  const code = await askNode(options.client, 'eth_getCode', [frame.to, toQuantity(options.blockNumber)])
  return hasSelector(code, selector) ? silent : `it has no function ${selector}`
}

const selectorOf = ({ input }: CallFrame): Hex | undefined =>
  // the first four bytes of hex are hex
  input.length < 10 ? undefined : (input.slice(0, 10).toLowerCase() as Hex)

/** A compiler writes the selector of every function into the code, without leading zeros. */
function hasSelector(code: unknown, selector: Hex): boolean {
  return typeof code === 'string' && code.toLowerCase().includes(selector.slice(2).replace(/^(?:00)+/, ''))
}

import { type Abi, getAddress, type Hex } from 'viem'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import { askNode, toQuantity } from '../../../redeemkit/evm/client.ts'
import { describeRevert } from '../abi/describeRevert.ts'
import type { CallFrame, ReportedExecution } from '../redeemReport.ts'
import { type Failure, failureOf } from '../trace/failureOf.ts'
import { outOfGas, reverted } from '../trace/failures.ts'
import { addressIn, sameAddress } from '../trace/sameAddress.ts'
import { type FailedStep, fixOf } from './fixOf.ts'

/** Why a redeem failed, where, and what to change. */
export async function executionOf(
  root: CallFrame,
  options: {
    client: EvmClient
    blockNumber: bigint
    abis: readonly Abi[]
    step: FailedStep
    usdc: Hex
    creditsContract: Hex
  },
): Promise<ReportedExecution> {
  const failure = failureOf(root)
  if (failure === undefined) return { succeeded: true }
  const { frame, at } = failure
  const said = describeRevert(frame.output, options.abis)
  const error = frame.output === '0x' ? undefined : said.name
  const empty = await calledWithoutCode(frame, options)
  const reason =
    empty !== undefined && frame.output === '0x'
      ? `it called ${empty}, which has no code`
      : await reasonOf(failure, { ...options, reason: said.reason })
  const otherToken = otherTokenIn(root, failure, options) ?? empty
  return {
    succeeded: false,
    at,
    contract: frame.to ?? frame.from,
    error,
    reason,
    data: frame.output,
    fix:
      otherToken === undefined
        ? fixOf({ frame, error, reason, args: said.args, step: options.step })
        : wrongAddress(otherToken, { hasCode: empty === undefined }),
  }
}

/** Without the address of USDC: where it stands, a report writes its name. */
function wrongAddress(address: Hex, { hasCode }: { hasCode: boolean }): string {
  return hasCode
    ? `Take the payment in the USDC of this chain: ${address} is another token.`
    : `Give the contract the addresses of this chain, that of USDC, too: at ${address} there is no code.`
}

/** Another token than USDC, of which it wanted something of the credits contract, where it failed by that. */
function otherTokenIn(
  root: CallFrame,
  { at }: Failure,
  { usdc, creditsContract, step }: { usdc: Hex; creditsContract: Hex; step: FailedStep },
): Hex | undefined {
  if (step !== 'call') return undefined
  let frame: CallFrame | undefined = root
  for (const place of at) {
    frame = frame?.calls[place]
    const [from] = frame?.input.slice(10).match(/.{64}/g) ?? []
    if (!frame?.input.startsWith(transferFromSelector) || from === undefined) continue
    // a word of hex digits
    if (!sameAddress(addressIn(from as Hex), creditsContract)) continue
    return sameAddress(frame.to, usdc) || frame.to === undefined ? undefined : getAddress(frame.to)
  }
  return undefined
}

const transferFromSelector = '0x23b872dd'

/** Where what failed made its last call, when there is no code: nobody answered, and it stopped at that. */
async function calledWithoutCode(
  frame: CallFrame,
  { client, blockNumber, step }: { client: EvmClient; blockNumber: bigint; step: FailedStep },
): Promise<Hex | undefined> {
  const last = frame.calls.at(-1)
  if (step !== 'call' || frame.failure !== reverted || last?.to === undefined) return undefined
  if (last.failure !== undefined || last.output !== '0x' || last.input.length < 10) return undefined
  // Those of the chain itself (EIP-1352) answer without code.
  if (BigInt(last.to) < 0x10000n) return undefined
  const code = await askNode(client, 'eth_getCode', [last.to, toQuantity(blockNumber)])
  return code === '0x' ? getAddress(last.to) : undefined
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

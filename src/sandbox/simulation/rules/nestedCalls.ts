import { type Hex, toFunctionSelector } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { CallFrame } from '../redeemReport.ts'
import { receiverHooks, walkFrames } from '../trace/frames.ts'
import { danger, type Judge, warning } from './rule.ts'

/** `REENTERS`: the target calls a state-changing function of the credits contract. */
export const reenters: Judge = ({ call, creditsContract }) => {
  if (call === undefined) return []
  for (const { frame } of walkFrames(call)) {
    const selector = frame.input.slice(0, 10)
    if (frame.type !== 'CALL' || !sameHex(frame.to, creditsContract) || harmless.has(selector)) continue
    return danger(
      'REENTERS',
      `${frame.from} calls ${frame.text?.replace(/\(.*/s, '') ?? selector} of the credits contract during the redeem.`,
    )
  }
  return []
}

const harmless: ReadonlySet<string> = new Set([
  ...receiverHooks,
  ...creditsAbi.flatMap((item) =>
    item.type === 'function' && (item.stateMutability === 'view' || item.stateMutability === 'pure')
      ? [toFunctionSelector(item)]
      : [],
  ),
])

/** `SWALLOWS_FAILURE`: excludes calls that callers must expect to fail, such as interface checks and permits that may already be used. */
export const swallowsFailure: Judge = ({ call, frame, usdc, creditsContract }) => {
  if (call === undefined || frame.failure !== undefined) return []
  const swallowed = swallowedIn(call, [usdc, creditsContract])
  const [first] = swallowed
  if (first === undefined) return []
  const { from, to, text, input, failure } = first
  const what = text ?? (input === '0x' ? 'without data' : input.slice(0, 10))
  const others = swallowed.length === 1 ? '' : `, and ${swallowed.length - 1} more like it`
  return warning(
    'SWALLOWS_FAILURE',
    `${from} called ${to ?? 'a new contract'} (${what}), which failed (${failure}), and continued${others}.`,
  )
}

/** @param trusted contracts whose inner calls are ignored */
function swallowedIn(call: CallFrame, trusted: readonly Hex[]): CallFrame[] {
  const found: CallFrame[] = []
  const stack = [call]
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    // A call that failed also reverted its inner calls.
    if (frame.failure !== undefined) continue
    for (const inner of frame.calls) if (inner.failure !== undefined && !asksOnly(inner)) found.push(inner)
    const { to } = frame
    if (!trusted.some((address) => sameHex(address, to)))
      stack.push(
        ...frame.calls.filter(({ to: next }) => !trusted.some((one) => sameHex(one, next))).reverse(),
      )
  }
  return found
}

const asksOnly = ({ input }: CallFrame) => askingSelectors.has(input.slice(0, 10).toLowerCase())

/** Functions that callers must expect to fail, according to the standards. */
const askingSelectors = new Set([
  '0x01ffc9a7', // supportsInterface(bytes4), ERC-165
  '0x06fdde03', // name()
  '0x95d89b41', // symbol()
  '0x313ce567', // decimals()
  '0x6352211e', // ownerOf(uint256), ERC-721: fails for an unknown token
  '0x2a55205a', // royaltyInfo(uint256,uint256), ERC-2981
  '0x1626ba7e', // isValidSignature(bytes32,bytes), ERC-1271
  '0xd505accf', // permit, ERC-2612: anyone may have submitted it before
  '0x8fcbaf0c', // permit of DAI
])

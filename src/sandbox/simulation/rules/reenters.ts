import { toFunctionSelector } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { receiverHooks } from '../trace/receiverHooks.ts'
import { sameAddress } from '../trace/sameAddress.ts'
import { walkFrames } from '../trace/walkFrames.ts'
import type { EconomicJudge } from './economicContext.ts'
import { ruleFinding } from './ruleFinding.ts'

/** `REENTERS`: a call of the credits contract, inside of the call that it makes, that could change something. */
export const reenters: EconomicJudge = ({ call, creditsContract }) => {
  if (call === undefined) return []
  for (const { frame } of walkFrames(call)) {
    const selector = frame.input.slice(0, 10)
    if (frame.type !== 'CALL' || !sameAddress(frame.to, creditsContract) || harmless.has(selector)) continue
    return [
      ruleFinding(
        'danger',
        'REENTERS',
        `${frame.from} calls ${frame.text?.replace(/\(.*/s, '') ?? selector} of the credits contract while it is paid by it.`,
      ),
    ]
  }
  return []
}

/** The receiver hooks, which are there to be called, and what only reads. */
const harmless: ReadonlySet<string> = new Set([
  ...receiverHooks,
  ...creditsAbi.flatMap((item) =>
    item.type === 'function' && (item.stateMutability === 'view' || item.stateMutability === 'pure')
      ? [toFunctionSelector(item)]
      : [],
  ),
])

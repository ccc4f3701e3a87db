import { sameAddress } from '../trace/sameAddress.ts'
import { walkFrames } from '../trace/walkFrames.ts'
import type { EconomicJudge } from './economicContext.ts'
import { ruleFinding } from './ruleFinding.ts'

/** `REENTERS`: a call of the credits contract, inside of the call that it makes, that could change something. */
export const reenters: EconomicJudge = ({ call, creditsContract }) => {
  if (call === undefined) return []
  for (const { frame } of walkFrames(call)) {
    const selector = frame.input.slice(0, 10)
    if (frame.type !== 'CALL' || !sameAddress(frame.to, creditsContract) || hooks.has(selector)) continue
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

/** What an NFT contract calls of a receiver. */
const hooks: ReadonlySet<string> = new Set([
  '0x150b7a02', // onERC721Received
  '0xf23a6e61', // onERC1155Received
  '0xbc197c81', // onERC1155BatchReceived
])

import type { Hex } from 'viem'
import type { CallFrame } from '../redeemReport.ts'
import { addressIn, sameAddress } from './sameAddress.ts'
import { transferTopic } from './usdcMoves.ts'
import { walkFrames } from './walkFrames.ts'

/** ERC-20 tokens besides USDC of which an account has more in the end than in the beginning, by the events that stayed. */
export function coinsGained(
  root: CallFrame,
  { account, usdc }: { account: Hex; usdc: Hex | undefined },
): { token: Hex; amount: bigint }[] {
  const gains = new Map<Hex, bigint>()
  for (const { frame, lasts } of walkFrames(root)) {
    if (!lasts) continue
    for (const { address, topics, data } of frame.logs) {
      const [event, from, to, id] = topics
      // Of ERC-721 the third value is among the topics, too.
      if (event !== transferTopic || !from || !to || id !== undefined || data.length !== 66) continue
      if (sameAddress(address, usdc)) continue
      const by =
        (sameAddress(addressIn(to), account) ? BigInt(data) : 0n) -
        (sameAddress(addressIn(from), account) ? BigInt(data) : 0n)
      gains.set(address, (gains.get(address) ?? 0n) + by)
    }
  }
  return [...gains].flatMap(([token, amount]) => (amount > 0n ? [{ token, amount }] : []))
}

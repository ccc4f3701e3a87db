import { getAddress } from 'viem'
import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import type { EconomicContext } from '../rules/economicContext.ts'
import { coinsGained } from '../trace/coinsGained.ts'
import { sameAddress } from '../trace/sameAddress.ts'

/** State that should not be there afterwards, one line each. */
export function leftBehindOf(context: EconomicContext): string[] {
  const { tokens, allowances, creditsContract, redeem, frame, usdc } = context
  const stuck = tokens.flatMap(({ contract, standard, id, holder, wasThere }) => {
    const token = `${standard} token ${id} of ${contract}`
    if (wasThere) return []
    if (sameAddress(holder, creditsContract)) return [`${token} in the credits contract`]
    return sameAddress(holder, redeem.relayer) && !sameAddress(holder, redeem.wallet)
      ? [`${token} with the relayer`]
      : []
  })
  const coins = coinsGained(frame, { account: creditsContract, usdc }).map(
    ({ token, amount }) =>
      `${amount} raw units of the ERC-20 token ${getAddress(token)} in the credits contract`,
  )
  const open = allowances.flatMap(({ owner, spender, before, after }) =>
    after > before
      ? [
          `an allowance of ${spender} over ${after >= 2n ** 255n ? 'all' : plainDollars(after)} USDC of ${owner}`,
        ]
      : [],
  )
  return [...stuck, ...coins, ...open]
}

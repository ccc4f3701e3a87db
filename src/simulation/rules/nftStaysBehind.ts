import { zeroAddress } from 'viem'
import { sameAddress } from '../trace/sameAddress.ts'
import type { EconomicJudge } from './economicContext.ts'
import { ruleFinding } from './ruleFinding.ts'

/** `NFT_STAYS_BEHIND`: with the credits contract, with the relayer, or where the event that told of it was not true. */
export const nftStaysBehind: EconomicJudge = ({ execution, tokens, creditsContract, redeem }) => {
  if (!execution.succeeded) return []
  return tokens.flatMap(({ contract, standard, id, holder, claimed, wasThere }) => {
    const token = `${standard} token ${id} of ${contract}`
    if (sameAddress(holder, creditsContract) && !wasThere)
      return [
        ruleFinding(
          'danger',
          'NFT_STAYS_BEHIND',
          `${token} stays with its caller, the credits contract: the customer pays and does not get it.`,
        ),
      ]
    if (sameAddress(holder, redeem.relayer) && !sameAddress(holder, redeem.wallet) && !wasThere)
      return [
        ruleFinding(
          'danger',
          'NFT_STAYS_BEHIND',
          `${token} goes to tx.origin, the relayer ${holder}: the customer pays and does not get it.`,
        ),
      ]
    if (!sameAddress(holder, claimed) && !sameAddress(claimed, zeroAddress))
      return [
        ruleFinding(
          'danger',
          'NFT_STAYS_BEHIND',
          `${token} went to ${claimed} by its event, but ${sameAddress(holder, zeroAddress) ? 'nobody' : holder} has it.`,
          'Emit Transfer for what happened only, and hand the token over.',
        ),
      ]
    return []
  })
}

import { getAddress, type Hex, zeroAddress } from 'viem'
import { plainDollars } from '../../../redeemkit/evm/finding/words.ts'
import type { RuleFinding } from '../redeemReport.ts'
import type { TokenInTheEnd } from '../report/tokensOf.ts'
import { failureOf, receiverHooks, sameAddress } from '../trace/frames.ts'
import { coinsGained } from '../trace/tokenMoves.ts'
import { type EconomicContext, type EconomicJudge, ruleFinding } from './rule.ts'

/**
 * `NFT_STAYS_BEHIND`, and of a safeMint `MINTS_WITHOUT_HOOK`: a token, or ERC-20 tokens, that are with the credits contract or with
 * the relayer in the end, or not where the event that told of a token says.
 */
export const nftStaysBehind: EconomicJudge = (context) =>
  context.execution.succeeded
    ? [...context.tokens.flatMap((token) => judgeToken(token, context)), ...judgeCoins(context)].slice(
        0,
        mostFindings,
      )
    : refusedHook(context)

/** A thousand tokens need not be told one by one. */
const mostFindings = 4

function judgeToken(token: TokenInTheEnd, context: EconomicContext): RuleFinding[] {
  const { contract, standard, id, holder, claimed, wasThere } = token
  const { creditsContract, redeem } = context
  const name = `${standard} token ${id} of ${contract}`
  if (!wasThere && sameAddress(holder, creditsContract)) {
    const message = `${name} stays with msg.sender, the credits contract: the customer pays and does not get it.`
    return redeem.shape === 'safeMint' && standard === 'ERC-721'
      ? [ruleFinding('danger', 'MINTS_WITHOUT_HOOK', message)]
      : [ruleFinding('danger', 'NFT_STAYS_BEHIND', message)]
  }
  if (!wasThere && sameAddress(holder, redeem.relayer) && !sameAddress(holder, redeem.wallet))
    return [
      ruleFinding(
        'danger',
        'NFT_STAYS_BEHIND',
        `${name} goes to tx.origin, the relayer ${holder}: the customer pays and does not get it.`,
      ),
    ]
  if (sameAddress(holder, claimed) || sameAddress(claimed, zeroAddress)) return []
  const who = sameAddress(holder, zeroAddress) ? 'nobody' : holder
  return [
    ruleFinding(
      'danger',
      'NFT_STAYS_BEHIND',
      `${name} went to ${claimed} by its event, but ${who} has it.`,
      'Emit Transfer for what happened only, and hand the token over.',
    ),
  ]
}

/** ERC-20 tokens: no shape hands them on. */
function judgeCoins({ frame, redeem, creditsContract, usdc }: EconomicContext): RuleFinding[] {
  const holders: [Hex, string][] = [[creditsContract, 'msg.sender, the credits contract']]
  if (!sameAddress(redeem.relayer, redeem.wallet))
    holders.push([redeem.relayer, `tx.origin, the relayer ${redeem.relayer}`])
  return holders.flatMap(([account, who]) =>
    coinsGained(frame, { account, usdc }).map(({ token, amount }) =>
      ruleFinding(
        'danger',
        'NFT_STAYS_BEHIND',
        `${amount} raw units of the ERC-20 token ${getAddress(token)} go to ${who}: the customer pays and does not get them.`,
        coinsFix,
      ),
    ),
  )
}

export const coinsFix = 'Send them to the receiver in the call data: no shape hands ERC-20 tokens on.'

/** A token that came to the credits contract by the hook, which refused it: this shape waits for none, or for one of another contract. */
function refusedHook({ call, creditsContract, redeem, settlement }: EconomicContext): RuleFinding[] {
  const frame = call && failureOf(call)?.frame
  if (!sameAddress(frame?.to, creditsContract) || !receiverHooks.includes(frame?.input.slice(0, 10) ?? ''))
    return []
  return [
    ruleFinding(
      'danger',
      'NFT_STAYS_BEHIND',
      `A token of ${frame?.from} comes to msg.sender, the credits contract, which hands on ${redeem.shape === 'normal' ? 'none of a normal redeem' : `those of ${settlement.nftContract}`}.`,
      redeem.shape === 'normal'
        ? 'Declare the shape safeMint, or mint to the receiver in the call data.'
        : `Give ${frame?.from} as nftContract, and ask for an entry for it.`,
    ),
  ]
}

/** `LEAVES_ALLOWANCE`: after the redeem somebody may spend more USDC than before it. */
export const leavesAllowance: EconomicJudge = ({ execution, allowances }) => {
  if (!execution.succeeded) return []
  return allowances.flatMap(({ owner, spender, before, after }) =>
    after <= before
      ? []
      : [
          ruleFinding(
            'danger',
            'LEAVES_ALLOWANCE',
            `${spender} may still spend ${after >= 2n ** 255n ? 'all' : plainDollars(after)} USDC of ${owner} when the redeem has ended.`,
          ),
        ],
  )
}

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

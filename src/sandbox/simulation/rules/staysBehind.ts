import { getAddress, type Hex, zeroAddress } from 'viem'
import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { RuleFinding } from '../redeemReport.ts'
import type { TokenInTheEnd } from '../tokensOf.ts'
import { failureOf, receiverHooks } from '../trace/frames.ts'
import { coinsGained } from '../trace/moves.ts'
import { danger, type Judge, type RuleContext, ruleFinding } from './rule.ts'

/**
 * `NFT_STAYS_BEHIND`, and `MINTS_WITHOUT_HOOK` for a safeMint: the credits contract or the relayer keeps NFTs or ERC-20 tokens, or an event
 * names a wrong owner.
 */
export const nftStaysBehind: Judge = (context) =>
  context.execution.succeeded
    ? [...context.tokens.flatMap((token) => judgeToken(token, context)), ...judgeCoins(context)].slice(
        0,
        mostFindings,
      )
    : refusedHook(context)

/** A contract may move a thousand tokens. */
const mostFindings = 4

function judgeToken(token: TokenInTheEnd, context: RuleContext): RuleFinding[] {
  const { contract, standard, id, holder, claimed, wasThere } = token
  const { creditsContract, redeem, settlement } = context
  const name = `${standard} token ${id} of ${contract}`
  if (!wasThere && sameHex(holder, creditsContract)) {
    const message = `${name} stays with msg.sender, the credits contract: the customer pays and does not receive it.`
    const isSold = redeem.shape === 'safeMint' && sameHex(contract, settlement.nftContract)
    return isSold && standard === 'ERC-721'
      ? danger('MINTS_WITHOUT_HOOK', message)
      : danger('NFT_STAYS_BEHIND', message)
  }
  if (!wasThere && sameHex(holder, redeem.relayer) && !sameHex(holder, redeem.wallet))
    return danger(
      'NFT_STAYS_BEHIND',
      `${name} goes to tx.origin, the relayer ${holder}: the customer pays and does not receive it.`,
    )
  if (sameHex(holder, claimed) || sameHex(claimed, zeroAddress)) return []
  const owner = sameHex(holder, zeroAddress) ? 'it has no owner' : `its owner is ${holder}`
  return danger(
    'NFT_STAYS_BEHIND',
    `The event says that ${name} went to ${claimed}, but ${owner}.`,
    'Emit Transfer only for actual transfers, and transfer the token.',
  )
}

/** The credits contract never forwards ERC-20 tokens. */
function judgeCoins({ frame, redeem, creditsContract, usdc }: RuleContext): RuleFinding[] {
  const holders: [Hex, string][] = [[creditsContract, 'msg.sender, the credits contract']]
  if (!sameHex(redeem.relayer, redeem.wallet))
    holders.push([redeem.relayer, `tx.origin, the relayer ${redeem.relayer}`])
  return holders.flatMap(([account, who]) =>
    coinsGained(frame, { account, usdc }).map(({ token, amount }) =>
      ruleFinding(
        'danger',
        'NFT_STAYS_BEHIND',
        `${amount} raw units of the ERC-20 token ${getAddress(token)} go to ${who}: the customer pays and does not receive them.`,
        coinsFix,
      ),
    ),
  )
}

export const coinsFix =
  'Send them to the receiver in the call data: the credits contract does not forward ERC-20 tokens.'

/** The credits contract rejected the token: the transaction type accepts none, or only those of another contract. */
function refusedHook(context: RuleContext): RuleFinding[] {
  const { call, creditsContract, redeem, settlement, execution } = context
  // The tokens of this contract are accepted, but too many arrived.
  if (!execution.succeeded && execution.error === 'TooManyTokens') return []
  const frame = call && failureOf(call)?.frame
  if (!sameHex(frame?.to, creditsContract) || !receiverHooks.includes(frame?.input.slice(0, 10) ?? ''))
    return []
  return danger(
    'NFT_STAYS_BEHIND',
    `${frame?.from} sends a token to msg.sender, the credits contract, which forwards ${redeem.shape === 'normal' ? 'no tokens in a normal redeem' : `only tokens of ${settlement.nftContract}`}.`,
    redeem.shape === 'normal'
      ? 'Declare the type `safeMint`, or mint to the receiver in the call data.'
      : `If this token is the one bought, pass ${frame?.from} as nftContract, and request an entry for it. Otherwise send it to the receiver in the call data: a redeem forwards tokens of one contract.`,
  )
}

/** `LEAVES_ALLOWANCE`: after the redeem, an account may spend more of another account's USDC than before. */
export const leavesAllowance: Judge = ({ execution, allowances }) => {
  if (!execution.succeeded) return []
  return allowances.flatMap(({ owner, spender, before, after }) =>
    after <= before
      ? []
      : danger(
          'LEAVES_ALLOWANCE',
          `${spender} may still spend ${spendable(after)} USDC of ${owner} after the redeem.`,
        ),
  )
}

export function leftBehindOf(context: RuleContext): string[] {
  const { tokens, allowances, creditsContract, redeem, frame, usdc } = context
  const stuck = tokens.flatMap(({ contract, standard, id, holder, wasThere }) => {
    const token = `${standard} token ${id} of ${contract}`
    if (wasThere) return []
    if (sameHex(holder, creditsContract)) return [`${token} in the credits contract`]
    return sameHex(holder, redeem.relayer) && !sameHex(holder, redeem.wallet)
      ? [`${token} with the relayer`]
      : []
  })
  const coins = coinsGained(frame, { account: creditsContract, usdc }).map(
    ({ token, amount }) =>
      `${amount} raw units of the ERC-20 token ${getAddress(token)} in the credits contract`,
  )
  const open = allowances.flatMap(({ owner, spender, before, after }) =>
    after > before ? [`an allowance of ${spender} over ${spendable(after)} USDC of ${owner}`] : [],
  )
  return [...stuck, ...coins, ...open]
}

const spendable = (allowance: bigint) => (allowance >= 2n ** 255n ? 'all' : plainDollars(allowance))

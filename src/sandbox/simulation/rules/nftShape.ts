import { zeroAddress } from 'viem'
import type { RuleFinding } from '../redeemReport.ts'
import { sameAddress } from '../trace/frames.ts'
import { tokenMoves } from '../trace/tokenMoves.ts'
import { type EconomicContext, type EconomicJudge, ruleFinding } from './rule.ts'

/**
 * `MINTS_WITHOUT_HOOK`, `RETURNS_NO_ID`, `WRONG_NFT_ID`: what the credits contract says when the token does not come as
 * declared, and a token that the customer does not have in the end.
 */
export const nftShape: EconomicJudge = (context) => {
  const { execution, settlement } = context
  if (execution.succeeded)
    return isDelivered(context)
      ? takenBack(context)
      : [wrongId(context, 'is not with the customer in the end')]
  // Inside of the call, the same errors say something else: a token that nobody waits for.
  if (execution.at.length > 0) return []
  switch (execution.error) {
    case 'NoTokensArrived':
      return [
        ruleFinding(
          'danger',
          'MINTS_WITHOUT_HOOK',
          `Sold as safeMint, but no token of ${settlement.nftContract} came to msg.sender by the receiver hook.`,
          execution.fix,
        ),
      ]
    case 'TokenIdNotReturned':
      return [
        ruleFinding(
          'danger',
          'RETURNS_NO_ID',
          `Sold as returned, but ${settlement.target} returns no token id.`,
        ),
      ]
    case 'TokenNotReceived':
      return [wrongId(context, 'did not come to msg.sender')]
    case 'TokenAlreadyOwned':
      return [wrongId(context, 'was with the credits contract before')]
    case 'UnexpectedToken':
      return [wrongId(context, 'did not come alone')]
  }
  return []
}

/** Of a shape that hands a token on, the customer has one of `nftContract`; of a known token id, that one. */
function isDelivered({ redeem, settlement, tokens }: EconomicContext): boolean {
  if (redeem.shape !== 'safeMint' && redeem.shape !== 'returned' && redeem.shape !== 'knownTokenId')
    return true
  const sold = tokens.filter(({ contract }) => sameAddress(contract, settlement.nftContract))
  // Contracts older than ERC-721 tell of tokens in events of another form: what came by the hook was handed on all the same.
  if (redeem.shape === 'safeMint' && sold.length === 0) return true
  return sold.some(
    ({ id, holder }) =>
      sameAddress(holder, redeem.wallet) && (redeem.shape !== 'knownTokenId' || id === settlement.nftId),
  )
}

/** Of any shape: what came to the customer meanwhile, and went on, when nothing else stays with them. */
function takenBack({ frame, redeem, tokens }: EconomicContext): RuleFinding[] {
  if (tokens.some(({ holder, claimed }) => [holder, claimed].some((one) => sameAddress(one, redeem.wallet))))
    return []
  const came = tokenMoves(frame).find(
    ({ from, to }) => sameAddress(to, redeem.wallet) && !sameAddress(from, redeem.wallet),
  )
  const went = tokens.find(({ contract, id }) => sameAddress(contract, came?.contract) && id === came?.id)
  if (came === undefined || went === undefined) return []
  const { contract, standard, id } = came
  const where = went.claimed === zeroAddress ? 'is burnt' : `goes on to ${went.claimed}`
  return [
    ruleFinding(
      'danger',
      'WRONG_NFT_ID',
      `${standard} token ${id} of ${contract} comes to the customer and ${where}, all in the one call: the customer pays and does not get it.`,
      'Leave the customer the token that was bought.',
    ),
  ]
}

const wrongId = (context: EconomicContext, what: string) =>
  ruleFinding(
    'danger',
    'WRONG_NFT_ID',
    `${wantedToken(context)} of ${context.settlement.nftContract} ${what}.`,
  )

function wantedToken({ redeem, settlement, call }: EconomicContext): string {
  if (redeem.shape === 'knownTokenId') return `Token ${settlement.nftId}`
  const answer = call?.output ?? '0x'
  return redeem.shape === 'returned' && answer.length >= 66
    ? `The returned token, ${BigInt(answer.slice(0, 66))},`
    : 'A token'
}

import type { EconomicContext, EconomicJudge } from './economicContext.ts'
import { ruleFinding } from './ruleFinding.ts'

/** `MINTS_WITHOUT_HOOK`, `RETURNS_NO_ID`, `WRONG_NFT_ID`: what the credits contract says when the token does not come as declared. */
export const nftShape: EconomicJudge = (context) => {
  const { execution, settlement } = context
  // Inside of the call, the same errors say something else: a token that nobody waits for.
  if (execution.succeeded || execution.at.length > 0) return []
  const { nftContract, nftId } = settlement
  switch (execution.error) {
    case 'NoTokensArrived':
      return [
        ruleFinding(
          'danger',
          'MINTS_WITHOUT_HOOK',
          `Sold as safeMint, but no token of ${nftContract} came to its caller by the receiver hook.`,
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
    case 'UnexpectedToken':
      return [
        ruleFinding(
          'danger',
          'WRONG_NFT_ID',
          `${wanted(context)} of ${nftContract} did not come to the credits contract, or not alone.`,
        ),
      ]
  }
  return []

  function wanted({ redeem, call }: EconomicContext): string {
    if (redeem.shape === 'knownTokenId') return `Token ${nftId}`
    return `The returned token ${call === undefined || call.output.length < 66 ? '' : BigInt(call.output.slice(0, 66))}`.trim()
  }
}

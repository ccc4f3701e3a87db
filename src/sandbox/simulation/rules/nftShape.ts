import { zeroAddress } from 'viem'
import { settlementShapes } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import type { RuleFinding } from '../redeemReport.ts'
import { receiverHooks, walkFrames } from '../trace/frames.ts'
import { tokenMoves } from '../trace/moves.ts'
import { danger, type Judge, type RuleContext, ruleFinding } from './rule.ts'

/** `MINTS_WITHOUT_HOOK`, `RETURNS_NO_ID`, `WRONG_NFT_ID`: the customer does not get, or does not keep, the declared token. */
export const nftShape: Judge = async (context) => {
  const { execution, settlement } = context
  if (execution.succeeded)
    return isDelivered(context)
      ? takenBack(context)
      : [wrongId(context, 'does not belong to the customer at the end')]
  if (isNotErc721(context))
    return danger(
      'WRONG_NFT_ID',
      `${settlement.nftContract} does not support balanceOf(address), but the type \`returned\` delivers ERC-721 tokens only.`,
      'For an ERC-1155 token, declare the type `safeMint`. If another contract has the token, pass it as nftContract.',
    )
  // Inside the merchant's call, the same errors mean that an unexpected token arrived.
  if (execution.at.length > 0) return []
  switch (execution.error) {
    case 'NoTokensArrived':
      return danger(
        'MINTS_WITHOUT_HOOK',
        `The call is declared as \`safeMint\`, but no token of ${settlement.nftContract} arrived through the receiver hook.`,
      )
    case 'TokenIdNotReturned':
      return danger(
        'RETURNS_NO_ID',
        `The call is declared as \`returned\`, but ${settlement.target} returns no token id.`,
      )
    case 'TokenNotReceived':
      return [
        (await severalArrived(context)) ??
          editionArrived(context) ??
          wrongId(context, 'was not transferred to msg.sender'),
      ]
    case 'TokenAlreadyOwned':
      return [wrongId(context, 'already belonged to the credits contract')]
    case 'UnexpectedToken':
      return [wrongId(context, 'arrived with other tokens')]
  }
  return []
}

/** Whether the customer owns the token: the known token id or, for other types, any token of `nftContract`. */
function isDelivered({ redeem, settlement, tokens }: RuleContext): boolean {
  const { nft } = settlementShapes[redeem.shape]
  if (nft === 'none') return true
  const sold = tokens.filter(({ contract }) => sameHex(contract, settlement.nftContract))
  // Contracts older than ERC-721 emit other events, so their token is not seen. The redeem succeeded, so it was forwarded.
  if (redeem.shape === 'safeMint' && sold.length === 0) return true
  return sold.some(
    ({ id, holder }) => sameHex(holder, redeem.wallet) && (nft !== 'token' || id === settlement.nftId),
  )
}

/** Reports a token that reached the customer and was transferred away again, unless the customer keeps another token. */
function takenBack({ frame, redeem, tokens }: RuleContext): RuleFinding[] {
  if (tokens.some(({ holder, claimed }) => [holder, claimed].some((one) => sameHex(one, redeem.wallet))))
    return []
  const came = tokenMoves(frame).find(
    ({ from, to }) => sameHex(to, redeem.wallet) && !sameHex(from, redeem.wallet),
  )
  const went = tokens.find(({ contract, id }) => sameHex(contract, came?.contract) && id === came?.id)
  if (came === undefined || went === undefined) return []
  const { contract, standard, id } = came
  const where = went.claimed === zeroAddress ? 'is then burned' : `then goes to ${went.claimed}`
  return danger(
    'WRONG_NFT_ID',
    `${standard} token ${id} of ${contract} reaches the customer and ${where} in the same call: the customer pays and does not keep it.`,
    'Let the customer keep the token.',
  )
}

const wrongId = (context: RuleContext, what: string) =>
  ruleFinding(
    'danger',
    'WRONG_NFT_ID',
    `${wantedToken(context)} of ${context.settlement.nftContract} ${what}.`,
  )

/** Whether the credits contract failed to read its own token balance, which it does before the call of a `returned` redeem. */
function isNotErc721({ redeem, settlement, frame, call }: RuleContext): boolean {
  const last = frame.calls.at(-1)
  return (
    redeem.shape === 'returned' &&
    call === undefined &&
    last?.type === 'STATICCALL' &&
    last.failure !== undefined &&
    sameHex(last.to, settlement.nftContract)
  )
}

/** An ERC-1155 token arrived, which has no single owner. Nodes omit the events of a failed redeem, so this looks for the hook. */
function editionArrived(context: RuleContext) {
  const { call, redeem, settlement, creditsContract } = context
  const isEdition =
    redeem.shape === 'knownTokenId' &&
    call !== undefined &&
    [...walkFrames(call)].some(
      ({ frame: { from, to, input } }) =>
        sameHex(from, settlement.nftContract) &&
        sameHex(to, creditsContract) &&
        editionHooks.includes(input.slice(0, 10)),
    )
  if (!isEdition) return undefined
  return ruleFinding(
    'danger',
    'WRONG_NFT_ID',
    `${wantedToken(context)} of ${settlement.nftContract} is an ERC-1155 token, but the type \`known token id\` delivers ERC-721 tokens only.`,
    'Declare the type `safeMint`: it delivers ERC-1155 tokens too.',
  )
}

const editionHooks = receiverHooks.slice(1)

/** Only the type `returned` fails for several tokens. Nodes omit events of a failed redeem, so this makes the call alone. */
async function severalArrived({ call, callAlone, redeem, settlement, creditsContract }: RuleContext) {
  if (redeem.shape !== 'returned' || call === undefined) return undefined
  const arrived = tokenMoves((await callAlone()).frame).filter(
    ({ contract, to }) => sameHex(contract, settlement.nftContract) && sameHex(to, creditsContract),
  )
  if (arrived.length < 2) return undefined
  return ruleFinding(
    'danger',
    'WRONG_NFT_ID',
    `${arrived.length} tokens of ${settlement.nftContract} were transferred to msg.sender, but the type \`returned\` delivers one.`,
  )
}

function wantedToken({ redeem, settlement, call }: RuleContext): string {
  if (settlementShapes[redeem.shape].nft === 'token') return `Token ${settlement.nftId}`
  const answer = call?.output ?? '0x'
  return redeem.shape === 'returned' && answer.length >= 66
    ? `The returned token, ${BigInt(answer.slice(0, 66))},`
    : 'A token'
}

import type { Hex } from 'viem'
import { showText } from '../../core/errors/showText.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import { type DecodedRevert, decodeRevert } from '../../evm/revert/decodeRevert.ts'
import type { Settlement } from '../../evm/transactionData/settlementOf.ts'
import { notTried } from './notTried.ts'

/** What the bytes mean that a redeem left when it was tried. */
export function findingOfRevert(
  data: Hex,
  { settlement, transactionData }: { settlement: Settlement; transactionData: object },
): Finding {
  const revert = decodeRevert({ data, transactionData })
  const { name = '', inner } = revert
  if (name === 'InvalidPermitSignature')
    return notTried('the node ran it without code in the place of the wallet')
  const [code, fix] = meanings[name] ?? ['CALL_REVERTS', undefined]
  if (inner === undefined)
    return finding(
      'danger',
      code,
      // The credits contract itself always says why.
      `The redeem would fail: ${data === '0x' ? 'the node does not say why' : wordsOf(revert)}.`,
      { field: 'transactionData', fix },
    )
  return finding('danger', code, `The call of ${settlement.target} would revert: ${wordsOf(inner)}.`, {
    field: 'transactionData',
    fix:
      inner.data === '0x'
        ? `See whether the contract has the function ${settlement.data.slice(0, 10)}, where it reverts without a reason, and whether it uses up its gas.`
        : fix,
  })
}

/** By the credits contract's errors (PROTOCOL.md 6.2 and 6.3). */
const meanings: Readonly<Record<string, readonly [DangerCode, string]>> = {
  CallFailed: ['CALL_REVERTS', 'Put right what the reason says, or change the request.'],
  PermitExpired: ['EXPIRED', 'Prepare again: by the clock of the chain the permit is over.'],
  OrderUsed: ['NONCE_USED', 'Look it up with findRedeem.'],
  InsufficientCredits: ['INSUFFICIENT_CREDITS', 'Get more credits first.'],
  NotWhitelisted: ['NOT_WHITELISTED', 'Ask the service to whitelist it.'],
  NftContractNotWhitelisted: ['NOT_WHITELISTED', 'Ask the service to whitelist the NFT contract, too.'],
  ForbiddenTarget: ['NOT_WHITELISTED', 'No redeem may call this contract.'],
  ForbiddenSelector: [
    'NOT_WHITELISTED',
    'No redeem may call a function that moves tokens or hands out rights.',
  ],
  TargetWithoutCode: ['NOT_WHITELISTED', 'Check the address: there is no contract on this chain.'],
  NoTokensArrived: [
    'MINTS_WITHOUT_HOOK',
    'Mint with _safeMint(msg.sender, id), or declare the shape returned and return the id.',
  ],
  TokenIdNotReturned: ['RETURNS_NO_ID', 'Return the token id, or declare the shape safeMint.'],
  TokenNotReceived: ['WRONG_NFT_ID', 'Hand msg.sender the token that was bought, and no other.'],
  TokenAlreadyOwned: ['WRONG_NFT_ID', 'Hand msg.sender the token that was bought, and no other.'],
}

/** Codes whose only severity is danger. */
type DangerCode = Extract<
  FindingCode,
  | 'CALL_REVERTS'
  | 'EXPIRED'
  | 'INSUFFICIENT_CREDITS'
  | 'MINTS_WITHOUT_HOOK'
  | 'NONCE_USED'
  | 'NOT_WHITELISTED'
  | 'RETURNS_NO_ID'
  | 'WRONG_NFT_ID'
>

/** A contract's own text is quoted, so that it does not speak in our voice. */
function wordsOf({ name, args, reason }: DecodedRevert): string {
  return name === 'Error' ? showText(String(args.reason), 300) : reason
}

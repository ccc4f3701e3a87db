import { quote } from '../../../redeemkit/evm/findingTexts.ts'
import type { CallFrame } from '../redeemReport.ts'
import { noCoin, outOfGas, reverted } from '../trace/failures.ts'

/** In words what to change, for a call that failed. */
export function fixOf(failure: {
  frame: CallFrame
  error: string | undefined
  reason: string
  args: Readonly<Record<string, unknown>>
  step: FailedStep
}): string {
  const { frame, error, reason, args, step } = failure
  const known = step === 'redeem' && error !== undefined ? ownFixes[error] : undefined
  if (known !== undefined) return known
  if (step === 'handing on')
    return 'Let msg.sender, the credits contract, transfer the token to the customer at once, or mint to the receiver in the call data and declare the shape normal.'
  if (reason === outOfGas)
    return 'Look for a loop that does not end, or does too much in one call: a redeem has at most 16,777,216 gas.'
  if (reason === noCoin) return 'Do not send the coin of the chain on: a redeem pays in USDC only.'
  if (reason.startsWith('it has no function'))
    return 'Check the address and the signature of the function: a selector is made from its name and types, without spaces and names of values.'
  if (error === 'Panic') return panicFixes[String(args.code)] ?? panicFix
  if (/exceeds allowance|InsufficientAllowance/.test(reason))
    return 'Take the payment from msg.sender, and no more than the amount: usdc.transferFrom(msg.sender, address(this), price).'
  if (/transfer amount exceeds balance|InsufficientBalance/.test(reason))
    return 'Pay out only what the contract has: transferFrom the payment first.'
  if (reason.startsWith('it reverted without a reason'))
    return 'Give its require statements a text, or a custom error, and check that the arguments are those of the function.'
  if (frame.failure !== reverted && frame.output === '0x')
    return 'Look at what the code does there: an assert of an old compiler, a jump that leads nowhere, or functions that call themselves.'
  if (error === undefined) return 'Give the ABI in which this error stands, so that it has a name here.'
  const words = error === 'Error' ? quote(reason) : error
  return `See why the contract says ${words}: it refuses these arguments, this caller, or this moment.`
}

/** What failed: the credits contract itself refused, the merchant's call did, or what the credits contract does with the tokens. */
export type FailedStep = 'redeem' | 'call' | 'handing on'

/** What the credits contract refuses, by its errors (PROTOCOL.md 6). */
const ownFixes: Readonly<Record<string, string>> = {
  NotWhitelisted: 'Ask for an entry: npx redeemkit whitelist request.',
  NftContractNotWhitelisted: 'Ask for an entry for the NFT contract too: npx redeemkit whitelist request.',
  ForbiddenTarget: 'Call a contract of your own: no entry can allow this one.',
  ForbiddenSelector:
    'Call a function of your own: no entry can allow one that moves tokens, or hands out rights over them.',
  TargetWithoutCode: 'Deploy the contract first, and check the chain and the address.',
  InsufficientCredits: 'Give the wallet credits of this seed first.',
  InsufficientGas: 'Send more gas, or lower the minimumGas of the entry.',
  InvalidPermitSignature: 'Sign with the wallet that pays, over these very values.',
  PermitExpired: 'Prepare the redeem again, and sign it.',
  OrderUsed: 'Nothing: this order was redeemed or cancelled before. Another payment needs another order.',
  IntentMismatch: 'Send the request that was signed, with its salt.',
  NoTokensArrived:
    'Mint with _safeMint(msg.sender, id), or declare another shape: returned, or normal for a token that goes to the receiver in the call data.',
  TokenIdNotReturned:
    'Return the token id (returns (uint256 tokenId)), or mint with _safeMint and declare the shape safeMint.',
  TokenNotReceived:
    'Hand msg.sender the token that was bought, and return its id where the shape is returned.',
  UnexpectedToken:
    'Hand msg.sender the token that was bought, and no other; declare safeMint for a token that comes with the receiver hook.',
  TokenAlreadyOwned: 'Ask the admin to move this token out of the credits contract first (rescueNft).',
  TooManyTokens: 'Mint at most 16 tokens in one redeem.',
  Insolvent: 'Do not take USDC of the credits contract in another way than by its allowance.',
  EnforcedPause: 'Wait until the credits contract goes on.',
  BridgeAdapterNotSet: 'Set a bridge adapter, or use another shape.',
}

const panicFix = 'Look for an assert, or an operation that the compiler guards, in this function.'
const panicFixes: Readonly<Record<string, string>> = {
  '1': 'Look for the assert that does not hold.',
  '17': 'Look for a subtraction below zero, or a sum above the type: often a stock or a balance that is used up.',
  '18': 'Look for a division by a value that is zero here.',
  '50': 'Look for an index beyond the end of a list.',
}

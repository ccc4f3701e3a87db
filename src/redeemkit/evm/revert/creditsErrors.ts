import type { FindingCode } from '../../core/finding/findingCatalogue.ts'

type CreditsError = { code: DangerCode; fix: string }

/** The finding codes that always have the severity `danger`. */
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

const toTheCustomer = 'If the call itself delivers to the customer, declare the type `normal`.'

/** The errors of the credits contract by name (PROTOCOL.md 6.2 and 6.3). Dry runs, simulations and the rule catalogue read them here. */
export const creditsErrors = {
  CallFailed: { code: 'CALL_REVERTS', fix: 'Fix the cause that the reason names, or change the request.' },
  PermitExpired: {
    code: 'EXPIRED',
    fix: 'Prepare and sign the redeem again: the permit has expired by the clock of the chain.',
  },
  OrderUsed: {
    code: 'NONCE_USED',
    fix: 'Look up the order with findRedeem: it was already redeemed or cancelled. For another payment, use another order.',
  },
  InsufficientCredits: {
    code: 'INSUFFICIENT_CREDITS',
    fix: 'Add credits with this credit seed to the wallet first.',
  },
  NotWhitelisted: {
    code: 'NOT_WHITELISTED',
    fix: 'Request a whitelist entry from the service. On a sandbox: npx redeemkit whitelist request.',
  },
  NftContractNotWhitelisted: {
    code: 'NOT_WHITELISTED',
    fix: 'Request a whitelist entry for the NFT contract as well. On a sandbox: npx redeemkit whitelist request.',
  },
  ForbiddenTarget: {
    code: 'NOT_WHITELISTED',
    fix: 'Call another contract: no whitelist entry can allow this contract.',
  },
  ForbiddenSelector: {
    code: 'NOT_WHITELISTED',
    fix: 'Call another function: no whitelist entry can allow a function that moves tokens or grants rights to them.',
  },
  TargetWithoutCode: {
    code: 'NOT_WHITELISTED',
    fix: 'Check the address and the chain, and deploy the contract first: the address has no code.',
  },
  NoTokensArrived: {
    code: 'MINTS_WITHOUT_HOOK',
    fix: `Mint with _safeMint(msg.sender, id), or declare the type \`returned\` and return the id. ${toTheCustomer}`,
  },
  TokenIdNotReturned: {
    code: 'RETURNS_NO_ID',
    fix: `Return the token id (returns (uint256 tokenId)), or mint with _safeMint and declare the type \`safeMint\`. ${toTheCustomer}`,
  },
  TokenNotReceived: {
    code: 'WRONG_NFT_ID',
    fix: `Transfer to msg.sender only the token that was bought. With the type \`returned\`, the first returned value is its id. To sell several in one call, mint them with _safeMint and declare the type \`safeMint\`. ${toTheCustomer}`,
  },
  TokenAlreadyOwned: {
    code: 'WRONG_NFT_ID',
    fix: 'Ask the admin to move this token out of the credits contract first (rescueNft).',
  },
  UnexpectedToken: {
    code: 'CALL_REVERTS',
    fix: 'Transfer to msg.sender only the token that was bought. Declare `safeMint` for a token that arrives through the receiver hook.',
  },
  TooManyTokens: { code: 'CALL_REVERTS', fix: 'Mint at most 16 tokens in one redeem.' },
  InsufficientGas: {
    code: 'CALL_REVERTS',
    fix: 'Send more gas, or lower minimumGas in the whitelist entry.',
  },
  InvalidPermitSignature: {
    code: 'CALL_REVERTS',
    fix: 'Sign exactly these values with the wallet that pays.',
  },
  IntentMismatch: { code: 'CALL_REVERTS', fix: 'Send the request that was signed, with its salt.' },
  Insolvent: {
    code: 'CALL_REVERTS',
    fix: 'Take USDC from the credits contract only with transferFrom, within its allowance.',
  },
  EnforcedPause: { code: 'CALL_REVERTS', fix: 'Wait until the credits contract is unpaused.' },
  BridgeAdapterNotSet: {
    code: 'CALL_REVERTS',
    fix: 'Set a bridge adapter, or use another transaction type.',
  },
} as const satisfies Record<string, CreditsError>

export function creditsErrorOf(name: string | undefined): CreditsError | undefined {
  return name !== undefined && Object.hasOwn(creditsErrors, name)
    ? creditsErrors[name as keyof typeof creditsErrors] // a key of the table
    : undefined
}

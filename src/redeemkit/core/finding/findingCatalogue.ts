/** Severity of a finding: `danger` must prevent a signature, `warning` needs attention, `info` is a fact. */
export type Severity = 'info' | 'warning' | 'danger'

/** The findings about requests. Every language file translates them. */
const requestFindings = {
  // Any request
  MALFORMED: { severities: ['danger'], meaning: 'The request cannot be read.' },
  INVALID_EXPECTATION: {
    severities: ['danger'],
    meaning: 'The expectation is invalid, so nothing could be compared with it.',
  },
  UNKNOWN_REQUEST: { severities: ['warning'], meaning: 'The wallet method is unknown.' },
  BLIND_SIGNATURE: { severities: ['danger'], meaning: 'The wallet method signs bytes that cannot be read.' },
  UNKNOWN_TYPED_DATA: {
    severities: ['warning', 'danger'],
    meaning: 'The layout of the typed data is unknown.',
  },
  MISSING_DOMAIN: {
    severities: ['danger'],
    meaning: 'The typed data does not declare its domain, so it could be used anywhere.',
  },
  OWN_ACCOUNT: {
    severities: ['danger'],
    meaning: "The contract of the typed data is the user's own account.",
  },
  RAW_TRANSACTION: {
    severities: ['danger'],
    meaning: 'The text is bytes that look like a transaction.',
  },
  BARE_HASH: {
    severities: ['danger'],
    meaning: 'The text is 32 bytes that cannot be read: it could be the hash of anything.',
  },
  SWAPPED_PARAMETERS: {
    severities: ['danger'],
    meaning: 'Account and text are swapped, and wallets differ in which of the two they sign.',
  },
  INVISIBLE_CHARACTERS: {
    severities: ['warning', 'danger'],
    meaning: 'A text contains invisible characters.',
  },
  PLAIN_TEXT: { severities: ['warning'], meaning: 'The format of the text is unknown.' },
  WRONG_ACCOUNT: {
    severities: ['danger'],
    meaning: 'The requested or named account is not the expected one.',
  },
  WRONG_WALLET: { severities: ['danger'], meaning: 'The request is for another wallet.' },
  WRONG_CHAIN: { severities: ['danger'], meaning: 'The request is for another chain.' },
  WRONG_NETWORK: { severities: ['danger'], meaning: 'The request is for another network.' },
  WRONG_SIGNATURE: { severities: ['danger'], meaning: 'A signature is invalid.' },
  NOT_COMPARED: { severities: ['warning'], meaning: 'The request was not compared with an expectation.' },
  EXPIRED: { severities: ['danger', 'warning'], meaning: 'The request has expired.' },
  EXPIRES_TOO_SOON: { severities: ['danger'], meaning: 'The request expires before it can be used.' },
  EXPIRES_TOO_LATE: {
    severities: ['warning', 'danger'],
    meaning: 'The request is valid for longer than usual.',
  },
  NOT_YET_VALID: { severities: ['warning', 'danger'], meaning: 'The request is not valid yet.' },
  // Sign-in
  SIGN_IN: {
    severities: ['danger', 'warning'],
    meaning: 'The sign-in message or challenge is invalid, or a memo reads like one.',
  },
  INSECURE_SITE: {
    severities: ['warning'],
    meaning: 'The site uses plain http: others on the network can change the page.',
  },
  UNCHECKED_SITE: {
    severities: ['warning'],
    meaning: 'The requesting site was not compared with an expected one.',
  },
  STATEMENT_CHARACTERS: {
    severities: ['warning'],
    meaning: 'The sign-in statement has characters that EIP-4361 does not allow.',
  },
  ADDRESS_CHECKSUM: {
    severities: ['warning'],
    meaning: 'The sign-in message writes the account without its checksum.',
  },
  // Credit permits and redeems
  UNSEEN_PURCHASE: { severities: ['warning'], meaning: 'The page did not disclose the purchase.' },
  INVALID_INTENT: { severities: ['danger'], meaning: 'The purchase that the page disclosed cannot be read.' },
  WRONG_PURCHASE: {
    severities: ['danger'],
    meaning: 'The request pays for a different purchase than the page disclosed.',
  },
  UNPINNED_MERCHANT: { severities: ['warning'], meaning: 'The merchant is not pinned with the contract.' },
  UNPINNED_ORIGIN: {
    severities: ['warning'],
    meaning: 'The requesting page is not pinned with the contract.',
  },
  UNPINNED_ADAPTER: {
    severities: ['warning'],
    meaning: 'The bridge adapter is not pinned, so the purchase was not compared.',
  },
  UNSEEN_RECEIVER: {
    severities: ['warning'],
    meaning: 'The call of the purchase was not decoded, so the receiver of the purchased goods is unknown.',
  },
  UNSIGNED_PERMIT: {
    severities: ['warning'],
    meaning: 'The wallet signed no credit permit for the purchase of this USDC authorization.',
  },
  ORDER_SIGNED: {
    severities: ['warning', 'info'],
    meaning: 'The wallet signed a permit for the same order before.',
  },
  ORDER_USED: { severities: ['warning'], meaning: 'The order was paid or cancelled before.' },
  ABOVE_CAP: { severities: ['danger'], meaning: 'The request takes more than `maxCents` of the context.' },
  UNPINNED_CHAIN: { severities: ['warning'], meaning: 'The chain was not compared with a pinned one.' },
  UNPINNED_CREDIT_SEED: { severities: ['warning'], meaning: 'The credit seed is not pinned.' },
  UNPINNED_CONTRACT: {
    severities: ['warning', 'danger'],
    meaning: 'The credits contract is not pinned, or differs from the pinned one.',
  },
  WRONG_CONTRACT: { severities: ['danger'], meaning: 'The contract differs from the pinned one.' },
  WRONG_CREDIT_SEED: {
    severities: ['danger'],
    meaning: 'The credit seed differs from the pinned one.',
  },
  WRONG_DOMAIN_NAME: { severities: ['danger'], meaning: 'The name of the EIP-712 domain is wrong.' },
  WRONG_DOMAIN_VERSION: { severities: ['danger'], meaning: 'The version of the EIP-712 domain is wrong.' },
  UNBOUND_NONCE: {
    severities: ['warning', 'danger'],
    meaning: 'The permit has a random nonce, so it is not tied to a purchase.',
  },
  RANDOM_NONCE: {
    severities: ['warning'],
    meaning: 'The permit has a random nonce, which the caller allowed.',
  },
  ORDER_USED_ELSEWHERE: {
    severities: ['warning'],
    meaning: 'The order was redeemed or cancelled on another chain.',
  },
  ORDER_NOT_READ: {
    severities: ['warning'],
    meaning: 'Another credits contract that may hold the order could not be read in time.',
  },
  ABSURD_AMOUNT: { severities: ['danger'], meaning: 'The amount is larger than any purchase.' },
  GAS_FEE_NOT_WHOLE_CENTS: {
    severities: ['warning'],
    meaning: 'The gas fee is not a whole number of cents.',
  },
  TRANSFER_AUTHORIZATION: {
    severities: ['warning'],
    meaning: 'Anyone can execute the USDC authorization.',
  },
  // USDC authorizations
  NOT_USDC: { severities: ['danger', 'warning'], meaning: "The token is not the chain's USDC." },
  ZERO_AMOUNT: { severities: ['warning'], meaning: 'The amount is zero.' },
  WRONG_RECEIVER: { severities: ['danger'], meaning: 'The request pays a different receiver.' },
  UNPINNED_RECEIVER: { severities: ['warning'], meaning: 'The receiver is not pinned.' },
  ANYONE_CAN_EXECUTE: { severities: ['warning'], meaning: 'Anyone who has the signature can execute it.' },
  // Transactions: effects
  EXTRA_TRANSFER: {
    severities: ['danger', 'warning'],
    meaning: 'The transaction makes an unexpected transfer.',
  },
  DELEGATE_APPROVAL: {
    severities: ['danger', 'warning'],
    meaning: 'The request lets another account spend tokens.',
  },
  UNLIMITED_APPROVAL: {
    severities: ['danger', 'warning'],
    meaning: 'The request lets another account take all tokens of one contract.',
  },
  AUTHORITY_CHANGE: {
    severities: ['danger', 'warning'],
    meaning: 'The transaction changes the authority over an account.',
  },
  ACCOUNT_CLOSED: { severities: ['danger', 'warning'], meaning: 'The transaction closes an account.' },
  ACCOUNT_DELEGATION: { severities: ['danger'], meaning: 'The request lets other code act as the account.' },
  DURABLE_NONCE: {
    severities: ['danger', 'warning'],
    meaning: 'The transaction does not expire until a durable nonce is used.',
  },
  PAYS_RENT: { severities: ['warning', 'danger'], meaning: 'The wallet pays the rent of an account.' },
  INSTRUCTION: { severities: ['info'], meaning: 'The transaction has a harmless instruction.' },
  UNKNOWN_INSTRUCTION: {
    severities: ['danger', 'warning'],
    meaning: 'The transaction has an instruction that cannot be decoded.',
  },
  UNEXPECTED_INSTRUCTION: {
    severities: ['danger', 'warning'],
    meaning: 'The transaction has an unexpected instruction.',
  },
  UNKNOWN_OPERATION: {
    severities: ['danger', 'warning'],
    meaning: 'The transaction has an operation that cannot be decoded.',
  },
  UNEXPECTED_OPERATION: { severities: ['danger'], meaning: 'The transaction has an unexpected operation.' },
  EXTRA_OPERATION: { severities: ['danger'], meaning: 'The transaction has more than one operation.' },
  CALL_COUNT: { severities: ['danger'], meaning: 'The transaction makes more or fewer calls than expected.' },
  CONTRACT_CREATION: { severities: ['danger', 'warning'], meaning: 'The transaction creates a contract.' },
  SUB_INVOCATION: { severities: ['danger'], meaning: 'The call makes unexpected further calls.' },
  WRONG_FUNCTION: { severities: ['danger'], meaning: 'The call is to a different function.' },
  WRONG_ARGUMENTS: { severities: ['danger'], meaning: 'The arguments of the call are wrong.' },
  WRONG_TARGET: { severities: ['danger'], meaning: 'The call is to a different contract.' },
  WRONG_DATA: { severities: ['danger'], meaning: 'The call data is wrong.' },
  UNEXPECTED_VALUE: { severities: ['danger'], meaning: "The call sends the chain's native coin." },
  TRANSFER_MISSING: { severities: ['danger'], meaning: 'The transfer is missing.' },
  CREATION_MISSING: { severities: ['danger'], meaning: "The receiver's account is not created." },
  REFERENCE_MISSING: { severities: ['danger'], meaning: 'A reference of the payment is missing.' },
  WRONG_AMOUNT: { severities: ['danger'], meaning: 'The amount is wrong.' },
  WRONG_ASSET: { severities: ['danger'], meaning: 'The asset is wrong.' },
  WRONG_MINT: { severities: ['danger'], meaning: 'The token is wrong.' },
  WRONG_DECIMALS: { severities: ['danger'], meaning: 'The decimals of the token are wrong.' },
  WRONG_SOURCE: { severities: ['danger'], meaning: 'The money comes from another account.' },
  WRONG_OWNER: { severities: ['danger'], meaning: 'The money belongs to another owner.' },
  WRONG_DESTINATION: { severities: ['danger'], meaning: 'The money goes to another account.' },
  WRONG_MEMO: { severities: ['danger'], meaning: 'The memo is not that of the payment.' },
  // Transactions: signers, fees, accounts and validity
  CUSTOMER_PAYS_FEE: { severities: ['warning', 'danger'], meaning: 'The customer pays the fee.' },
  FEE_TOO_HIGH: { severities: ['danger', 'warning'], meaning: 'The fee is higher than allowed.' },
  FEE_PAYER: { severities: ['info'], meaning: 'The account that pays the fee.' },
  WRONG_FEE_PAYER: { severities: ['danger'], meaning: 'Another account pays the fee.' },
  WRONG_FEE_TOKEN: { severities: ['danger'], meaning: 'The fee is paid in another token.' },
  NOT_SPONSORED: { severities: ['danger'], meaning: 'No sponsor pays the fee.' },
  SELF_SPONSORED: { severities: ['danger'], meaning: 'The sponsor is the sender itself.' },
  UNEXPECTED_SPONSOR: { severities: ['danger'], meaning: 'A sponsor pays the fee, which was not expected.' },
  RENT_TOO_HIGH: { severities: ['danger'], meaning: 'The rent is higher than allowed.' },
  WRONG_RENT_PAYER: { severities: ['danger'], meaning: 'Another account pays the rent.' },
  WRONG_COMPUTE_BUDGET: {
    severities: ['danger'],
    meaning: 'The compute budget differs from the expected one.',
  },
  WRONG_SENDER: { severities: ['danger'], meaning: 'The sender is another account.' },
  SIGNER_MISSING: { severities: ['danger'], meaning: 'A required signer is missing.' },
  EXTRA_SIGNER: {
    severities: ['danger', 'warning'],
    meaning: 'The transaction has a signer that is not required.',
  },
  FOREIGN_SIGNATURE: {
    severities: ['danger', 'warning'],
    meaning: 'The transaction has a signature by another account.',
  },
  EXTRA_AUTHORIZATION: {
    severities: ['danger'],
    meaning: 'The transaction has an unexpected authorization.',
  },
  KEY_AUTHORIZATION: {
    severities: ['danger'],
    meaning: 'The transaction gives another key power over the account.',
  },
  ACCESS_KEY_UNCHECKED: {
    severities: ['warning'],
    meaning: 'The permissions of the access key were not checked.',
  },
  ACCESS_LIST: { severities: ['danger', 'warning'], meaning: 'The transaction has an access list.' },
  WRONG_NONCE: { severities: ['danger'], meaning: 'The nonce is wrong.' },
  WRONG_NONCE_KEY: { severities: ['danger'], meaning: 'The nonce key is wrong.' },
  WRONG_SEQUENCE: { severities: ['danger'], meaning: 'The sequence number is wrong.' },
  WRONG_BLOCKHASH: { severities: ['danger'], meaning: 'The blockhash is wrong.' },
  NO_TIME_LIMIT: { severities: ['danger', 'warning'], meaning: 'The transaction has no expiry.' },
  EXPIRY_UNCHECKED: {
    severities: ['warning'],
    meaning: 'The expiry of the transaction could not be checked.',
  },
  UNKNOWN_CONDITION: {
    severities: ['danger', 'warning'],
    meaning: 'The transaction has an unexpected condition.',
  },
  UNEXPECTED_RESOURCES: {
    severities: ['danger', 'warning'],
    meaning: 'The transaction has unexpected resources.',
  },
  UNEXPECTED_ACCOUNT: {
    severities: ['danger', 'warning'],
    meaning: 'An instruction uses an account that was not expected.',
  },
  DUPLICATE_ACCOUNT: { severities: ['danger'], meaning: 'A lookup table repeats an account.' },
  EXTRA_WRITABLE: { severities: ['danger'], meaning: 'An account is writable that should not be.' },
  NOT_WRITABLE: { severities: ['danger'], meaning: 'An account is not writable that must be.' },
  UNUSED_ACCOUNT: { severities: ['danger'], meaning: 'An account is never used.' },
  UNRESOLVED_LOOKUP_TABLE: { severities: ['danger', 'warning'], meaning: 'A lookup table is not known.' },
} as const satisfies Record<string, FindingRow>

/**
 * All findings: their codes, the severities that each can have, and their meanings.
 *
 * Codes are stable. The message of a {@link Finding} states its meaning with the offending value.
 */
export const findingCatalogue = {
  ...requestFindings,
  // Dry runs of a redeem
  DRY_RUN_UNAVAILABLE: {
    severities: ['warning'],
    meaning: 'The redeem could not be simulated before signing.',
  },
  NONCE_USED: { severities: ['danger'], meaning: 'The nonce was already redeemed or cancelled.' },
  INSUFFICIENT_CREDITS: {
    severities: ['danger'],
    meaning: 'The wallet has fewer credits than the redeem may charge.',
  },
  INSUFFICIENT_USDC: { severities: ['danger'], meaning: 'The wallet has less USDC than the redeem pays.' },
  // Merchant contracts: economic rules
  NOT_WHITELISTED: {
    severities: ['danger'],
    meaning: "The target is not on the merchant's whitelist, or can never be.",
  },
  SELECTOR_NOT_WHITELISTED: {
    severities: ['danger'],
    meaning: 'The target is on the whitelist, but the called function is not.',
  },
  CALL_REVERTS: { severities: ['danger'], meaning: 'The contract itself rejects the call.' },
  PULLS_MORE: { severities: ['danger'], meaning: 'The contract tries to take more USDC than the amount.' },
  PULLS_LESS: {
    severities: ['danger', 'warning'],
    meaning: 'The contract takes less USDC than the amount, or sends some of it back to its caller.',
  },
  PULLS_NOTHING: { severities: ['danger'], meaning: 'The contract takes no USDC.' },
  PULLS_FROM_OTHERS: {
    severities: ['danger'],
    meaning: 'The contract tries to take USDC from an account other than its caller.',
  },
  NEEDS_NATIVE_COIN: { severities: ['danger'], meaning: "The contract requires the chain's native coin." },
  MINTS_WITHOUT_HOOK: {
    severities: ['danger'],
    meaning: 'Declared as safeMint, but it mints without the receiver hook.',
  },
  RETURNS_NO_ID: { severities: ['danger'], meaning: 'Declared as returned, but it returns no token id.' },
  WRONG_NFT_ID: { severities: ['danger'], meaning: 'A different token arrived than the one bought.' },
  NFT_STAYS_BEHIND: {
    severities: ['danger'],
    meaning: 'An NFT or ERC-20 tokens remain with the credits contract or the relayer.',
  },
  REENTERS: { severities: ['danger'], meaning: 'The contract calls the credits contract during the redeem.' },
  LEAVES_ALLOWANCE: {
    severities: ['danger'],
    meaning: 'The redeem leaves an allowance over USDC that it moved.',
  },
  KEEPS_MONEY_ON_SHORT_GAS: {
    severities: ['danger'],
    meaning: 'With less gas, the contract keeps the money and does not deliver.',
  },
  // Merchant contracts: rules that need a trace
  RECEIVER_NOT_CUSTOMER: {
    severities: ['danger', 'warning'],
    meaning: 'The receiver in the call data is not the customer.',
  },
  USES_TX_ORIGIN: {
    severities: ['danger', 'warning'],
    meaning: 'The contract behaves differently depending on the sender of the transaction.',
  },
  DEPENDS_ON_TIME: { severities: ['warning'], meaning: 'The call has a different effect at another time.' },
  DIFFERS_ON_SECOND_CALL: {
    severities: ['warning'],
    meaning: 'A second identical call has a different effect.',
  },
  SEES_ONE_CUSTOMER: {
    severities: ['warning'],
    meaning: 'The shop sees every customer as the credits contract.',
  },
  GAS_ABOVE_LIMIT: {
    severities: ['danger', 'warning'],
    meaning: 'The call needs more gas than a whitelist entry or a transaction may have.',
  },
  SWALLOWS_FAILURE: {
    severities: ['warning'],
    meaning: 'An inner call failed, and the contract continued.',
  },
  UPGRADEABLE: {
    severities: ['warning'],
    meaning: 'The owner can replace the code, so the whitelisted behavior can change.',
  },
} as const satisfies Record<string, FindingRow>

/** The stable code of a finding, such as `UNPINNED_CONTRACT`. */
export type FindingCode = keyof typeof findingCatalogue

/** A finding code that the `inspect` functions can return. */
export type RequestFindingCode = keyof typeof requestFindings

type FindingRow = { severities: readonly Severity[]; meaning: string }

/** The severities that a finding of this code can have. */
export type SeverityOf<code extends FindingCode> = (typeof findingCatalogue)[code]['severities'][number]

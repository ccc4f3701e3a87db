/** How much a finding weighs: `danger` must stop a signature, `warning` deserves a look, `info` is a fact. */
export type Severity = 'info' | 'warning' | 'danger'

/**
 * Every finding: its code, the severities that it can have, and what it means.
 *
 * Stable for programs. The message of a {@link Finding} is the same thing with the offending value.
 */
export const findingCatalogue = {
  // Any request
  MALFORMED: { severities: ['danger'], meaning: 'The request cannot be read.' },
  INVALID_EXPECTATION: {
    severities: ['danger'],
    meaning: 'What the caller gave to compare with cannot be compared with.',
  },
  UNKNOWN_REQUEST: { severities: ['warning'], meaning: 'The wallet method is of no known form.' },
  BLIND_SIGNATURE: { severities: ['danger'], meaning: 'The wallet method signs bytes that cannot be read.' },
  UNKNOWN_TYPED_DATA: { severities: ['warning', 'danger'], meaning: 'The typed data has no known layout.' },
  BARE_HASH: {
    severities: ['danger'],
    meaning: 'The text is 32 bytes that cannot be read: it could be the hash of anything.',
  },
  SWAPPED_PARAMETERS: {
    severities: ['danger'],
    meaning: "Account and text stand in each other's place, and wallets differ in which they sign.",
  },
  INVISIBLE_CHARACTERS: {
    severities: ['warning', 'danger'],
    meaning: 'A text holds characters that cannot be seen.',
  },
  PLAIN_TEXT: { severities: ['warning'], meaning: 'The text has no known form.' },
  WRONG_ACCOUNT: {
    severities: ['danger'],
    meaning: 'Another account is asked, or named, than the expected one.',
  },
  WRONG_WALLET: { severities: ['danger'], meaning: 'The request is for another wallet.' },
  WRONG_CHAIN: { severities: ['danger'], meaning: 'The request is for another chain.' },
  WRONG_NETWORK: { severities: ['danger'], meaning: 'The request is for another network.' },
  WRONG_SIGNATURE: { severities: ['danger'], meaning: 'A signature that is there is not right.' },
  NOT_COMPARED: { severities: ['warning'], meaning: 'There was no expectation to compare with.' },
  EXPIRED: { severities: ['danger'], meaning: 'Its time is over.' },
  EXPIRES_TOO_SOON: { severities: ['danger'], meaning: 'It ends before it can be used.' },
  EXPIRES_TOO_LATE: { severities: ['warning', 'danger'], meaning: 'It lives longer than is usual.' },
  NOT_YET_VALID: { severities: ['warning', 'danger'], meaning: 'Its time has not begun.' },
  // Sign-in
  SIGN_IN: {
    severities: ['danger', 'warning'],
    meaning: 'The sign-in message or challenge is not what it must be, or a memo reads like one.',
  },
  UNCHECKED_SITE: { severities: ['warning'], meaning: 'The site that asks was compared with nothing.' },
  STATEMENT_CHARACTERS: {
    severities: ['warning'],
    meaning: 'The statement of the sign-in has characters that EIP-4361 does not allow there.',
  },
  // Credit permits and redeems
  UNSEEN_PURCHASE: {
    severities: ['warning'],
    meaning: 'What is paid for was not seen, and no cap on a pinned receiver limits it.',
  },
  WRONG_PURCHASE: { severities: ['danger'], meaning: 'It is for another purchase than the given one.' },
  ABOVE_CAP: { severities: ['danger'], meaning: "It takes more than the caller's cap." },
  UNPINNED_CHAIN: { severities: ['warning'], meaning: 'The chain was compared with nothing.' },
  UNPINNED_CREDIT_SEED: { severities: ['warning'], meaning: 'The credit seed is pinned by no one.' },
  UNPINNED_CONTRACT: {
    severities: ['warning', 'danger'],
    meaning: 'The credits contract is pinned by no one, or is another one than the pinned one.',
  },
  WRONG_CONTRACT: { severities: ['danger'], meaning: 'The contract is another one than the pinned one.' },
  WRONG_CREDIT_SEED: {
    severities: ['danger'],
    meaning: 'The credit seed is another one than the pinned one.',
  },
  WRONG_DOMAIN_NAME: { severities: ['danger'], meaning: 'The EIP-712 domain has another name.' },
  WRONG_DOMAIN_VERSION: { severities: ['danger'], meaning: 'The EIP-712 domain has another version.' },
  UNBOUND_NONCE: { severities: ['warning', 'danger'], meaning: 'The permit does not say what it pays for.' },
  RANDOM_NONCE: {
    severities: ['warning'],
    meaning: 'The permit does not say what it pays for, and the caller allowed that.',
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
  GAS_FEE_NOT_WHOLE_CENTS: { severities: ['warning'], meaning: 'The gas fee is no whole number of cents.' },
  TRANSFER_AUTHORIZATION: {
    severities: ['warning'],
    meaning: 'The USDC authorization may be executed by a third party.',
  },
  // USDC authorizations
  NOT_USDC: { severities: ['danger'], meaning: "The token is not the chain's USDC." },
  ZERO_AMOUNT: { severities: ['warning'], meaning: 'It moves nothing.' },
  WRONG_RECEIVER: { severities: ['danger'], meaning: 'It pays to another receiver.' },
  UNPINNED_RECEIVER: { severities: ['warning'], meaning: 'The receiver is pinned by no one.' },
  ANYONE_CAN_EXECUTE: { severities: ['warning', 'info'], meaning: 'A third party may execute it.' },
  // Transactions: what they do
  EXTRA_TRANSFER: { severities: ['danger', 'warning'], meaning: 'It moves value that was not asked for.' },
  DELEGATE_APPROVAL: { severities: ['danger', 'warning'], meaning: 'It lets somebody else spend.' },
  AUTHORITY_CHANGE: { severities: ['danger', 'warning'], meaning: 'It gives an account away.' },
  ACCOUNT_CLOSED: { severities: ['danger', 'warning'], meaning: 'It closes an account.' },
  ACCOUNT_DELEGATION: { severities: ['danger'], meaning: 'It lets code act as the account.' },
  DURABLE_NONCE: { severities: ['danger', 'warning'], meaning: 'It stays valid until a nonce is used.' },
  PAYS_RENT: { severities: ['warning', 'danger'], meaning: 'The wallet pays the rent of an account.' },
  INSTRUCTION: { severities: ['info'], meaning: 'An instruction that does no harm.' },
  UNKNOWN_INSTRUCTION: { severities: ['danger', 'warning'], meaning: 'An instruction that cannot be read.' },
  UNEXPECTED_INSTRUCTION: {
    severities: ['danger', 'warning'],
    meaning: 'An instruction that was not asked for.',
  },
  UNKNOWN_OPERATION: { severities: ['danger'], meaning: 'An operation that cannot be read.' },
  UNEXPECTED_OPERATION: { severities: ['danger'], meaning: 'An operation that was not asked for.' },
  EXTRA_OPERATION: { severities: ['danger'], meaning: 'More than one operation.' },
  CALL_COUNT: { severities: ['danger'], meaning: 'More or fewer calls than were asked for.' },
  CONTRACT_CREATION: { severities: ['danger'], meaning: 'It creates a contract.' },
  SUB_INVOCATION: { severities: ['danger'], meaning: 'The call leads to calls that were not asked for.' },
  WRONG_FUNCTION: { severities: ['danger'], meaning: 'The call is of another function.' },
  WRONG_ARGUMENTS: { severities: ['danger'], meaning: 'The call has other arguments.' },
  WRONG_TARGET: { severities: ['danger'], meaning: 'The call goes elsewhere.' },
  WRONG_DATA: { severities: ['danger'], meaning: 'The call carries other data.' },
  UNEXPECTED_VALUE: { severities: ['danger'], meaning: "The call carries the chain's own coin." },
  TRANSFER_MISSING: { severities: ['danger'], meaning: 'The transfer is not in it.' },
  CREATION_MISSING: { severities: ['danger'], meaning: "The receiver's account is not created." },
  REFERENCE_MISSING: { severities: ['danger'], meaning: 'A reference of the payment is not in it.' },
  WRONG_AMOUNT: { severities: ['danger'], meaning: 'The amount is another one.' },
  WRONG_ASSET: { severities: ['danger'], meaning: 'The asset is another one.' },
  WRONG_MINT: { severities: ['danger'], meaning: 'The token is another one.' },
  WRONG_DECIMALS: { severities: ['danger'], meaning: 'The token has other decimals.' },
  WRONG_SOURCE: { severities: ['danger'], meaning: 'The money comes from another account.' },
  WRONG_OWNER: { severities: ['danger'], meaning: "The money is another owner's." },
  WRONG_DESTINATION: { severities: ['danger'], meaning: 'The money goes to another account.' },
  WRONG_MEMO: { severities: ['danger'], meaning: "The memo is not the payment's." },
  // Transactions: who signs, who pays, what they touch
  CUSTOMER_PAYS_FEE: { severities: ['warning', 'danger'], meaning: 'The customer pays the fee.' },
  FEE_TOO_HIGH: { severities: ['danger'], meaning: 'The fee is higher than allowed.' },
  FEE_PAYER: { severities: ['info'], meaning: 'Who pays the fee.' },
  WRONG_FEE_PAYER: { severities: ['danger'], meaning: 'Another account pays the fee.' },
  WRONG_FEE_TOKEN: { severities: ['danger'], meaning: 'The fee is paid in another token.' },
  NOT_SPONSORED: { severities: ['danger'], meaning: 'No sponsor pays the fee.' },
  SELF_SPONSORED: { severities: ['danger'], meaning: 'The sponsor is the sender itself.' },
  UNEXPECTED_SPONSOR: { severities: ['danger'], meaning: 'A sponsor that was not asked for.' },
  RENT_TOO_HIGH: { severities: ['danger'], meaning: 'The rent is higher than allowed.' },
  WRONG_RENT_PAYER: { severities: ['danger'], meaning: 'Another account pays the rent.' },
  WRONG_COMPUTE_BUDGET: { severities: ['danger'], meaning: 'The compute budget is another one.' },
  WRONG_SENDER: { severities: ['danger'], meaning: 'The sender is another account.' },
  SIGNER_MISSING: { severities: ['danger'], meaning: 'Somebody who must sign does not.' },
  EXTRA_SIGNER: { severities: ['danger'], meaning: 'Somebody signs who need not.' },
  FOREIGN_SIGNATURE: { severities: ['danger'], meaning: 'It carries a signature of somebody else.' },
  EXTRA_AUTHORIZATION: {
    severities: ['danger'],
    meaning: 'It carries an authorization that was not asked for.',
  },
  KEY_AUTHORIZATION: { severities: ['danger'], meaning: 'It gives another key power over the account.' },
  ACCESS_KEY_UNCHECKED: {
    severities: ['warning'],
    meaning: 'Whether an access key may sign this was not looked up.',
  },
  ACCESS_LIST: { severities: ['danger'], meaning: 'It carries an access list.' },
  WRONG_NONCE: { severities: ['danger'], meaning: 'The nonce is another one.' },
  WRONG_NONCE_KEY: { severities: ['danger'], meaning: 'The nonce key is another one.' },
  WRONG_SEQUENCE: { severities: ['danger'], meaning: 'The sequence number is another one.' },
  WRONG_BLOCKHASH: { severities: ['danger'], meaning: 'The blockhash is another one.' },
  NO_TIME_LIMIT: { severities: ['danger', 'warning'], meaning: 'It has no time limit.' },
  END_NOT_JUDGED: { severities: ['warning'], meaning: 'Its end was compared with nothing.' },
  UNKNOWN_CONDITION: { severities: ['danger'], meaning: 'A condition that was not asked for.' },
  UNEXPECTED_RESOURCES: { severities: ['danger'], meaning: 'Resources that were not asked for.' },
  UNEXPECTED_ACCOUNT: { severities: ['danger'], meaning: 'An instruction is given another account.' },
  DUPLICATE_ACCOUNT: { severities: ['danger'], meaning: 'A lookup table repeats an account.' },
  EXTRA_WRITABLE: { severities: ['danger'], meaning: 'An account may be changed that need not.' },
  NOT_WRITABLE: { severities: ['danger'], meaning: 'An account cannot be changed that must.' },
  UNUSED_ACCOUNT: { severities: ['danger'], meaning: 'An account is there for nothing.' },
  UNRESOLVED_LOOKUP_TABLE: { severities: ['danger'], meaning: 'A lookup table is not known.' },
  // Dry runs of a redeem
  DRY_RUN_UNAVAILABLE: {
    severities: ['warning'],
    meaning: 'The redeem could not be tried before it is signed.',
  },
  NONCE_USED: { severities: ['danger'], meaning: 'The nonce was redeemed or cancelled already.' },
  INSUFFICIENT_CREDITS: {
    severities: ['danger'],
    meaning: 'The wallet has fewer credits than the redeem may charge.',
  },
  INSUFFICIENT_USDC: { severities: ['danger'], meaning: 'The wallet has less USDC than the redeem pays.' },
  // Merchant contracts: economic rules
  NOT_WHITELISTED: {
    severities: ['danger'],
    meaning: 'The target is on no whitelist of the merchant, or can be on none.',
  },
  SELECTOR_NOT_WHITELISTED: {
    severities: ['danger'],
    meaning: 'The target is on the whitelist, the called function is not.',
  },
  CALL_REVERTS: { severities: ['danger'], meaning: 'The call fails for a reason of its own.' },
  PULLS_MORE: { severities: ['danger'], meaning: 'The contract wants more USDC than the amount.' },
  PULLS_LESS: { severities: ['danger'], meaning: 'The contract takes less USDC than the amount.' },
  PULLS_NOTHING: { severities: ['danger'], meaning: 'The contract takes no USDC.' },
  PULLS_FROM_OTHERS: {
    severities: ['danger'],
    meaning: 'The contract wants USDC of another account than its caller.',
  },
  NEEDS_NATIVE_COIN: { severities: ['danger'], meaning: "The contract wants the chain's own coin." },
  MINTS_WITHOUT_HOOK: {
    severities: ['danger'],
    meaning: 'Declared as safeMint, it mints without the receiver hook.',
  },
  RETURNS_NO_ID: { severities: ['danger'], meaning: 'Declared as returned, it returns no token id.' },
  WRONG_NFT_ID: { severities: ['danger'], meaning: 'Another token arrived than the bought one.' },
  NFT_STAYS_BEHIND: {
    severities: ['danger'],
    meaning: 'A token, or ERC-20 tokens, stay with the credits contract or with the relayer.',
  },
  REENTERS: { severities: ['danger'], meaning: 'The contract calls the credits contract while it is paid.' },
  LEAVES_ALLOWANCE: {
    severities: ['danger'],
    meaning: 'Somebody may still spend USDC that the redeem moved, after it has ended.',
  },
  KEEPS_MONEY_ON_SHORT_GAS: {
    severities: ['danger'],
    meaning: 'With less gas, the contract keeps the money and does not deliver.',
  },
  // Merchant contracts: what only a trace shows
  RECEIVER_NOT_CUSTOMER: {
    severities: ['danger', 'warning'],
    meaning: 'The receiver in the call data is not the customer.',
  },
  USES_TX_ORIGIN: {
    severities: ['danger', 'warning'],
    meaning: 'What the contract does depends on who sends the transaction.',
  },
  DEPENDS_ON_TIME: { severities: ['warning'], meaning: 'At another time the call does something else.' },
  DIFFERS_ON_SECOND_CALL: { severities: ['warning'], meaning: 'The same call again does something else.' },
  GAS_ABOVE_LIMIT: {
    severities: ['danger'],
    meaning: 'The call needs more gas than a whitelist entry, or a transaction, may have.',
  },
  SWALLOWS_FAILURE: {
    severities: ['warning'],
    meaning: 'A call inside of it failed, and the contract went on.',
  },
  UPGRADEABLE: {
    severities: ['warning'],
    meaning: 'Its owner can replace the code, so that a whitelist entry says little.',
  },
} as const satisfies Record<string, FindingRow>

/** Stable, upper snake case: `UNPINNED_CONTRACT`. */
export type FindingCode = keyof typeof findingCatalogue

type FindingRow = { severities: readonly Severity[]; meaning: string }

/** The severities that a finding of this code can have. */
export type SeverityOf<code extends FindingCode> = (typeof findingCatalogue)[code]['severities'][number]

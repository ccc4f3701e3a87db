/** Severity of a finding: `danger` must prevent a signature, `warning` needs attention, `info` is a fact. */
export type Severity = 'info' | 'warning' | 'danger'

/** Code → meaning, and the severities that it can have. Every language file translates the meanings. */
// biome-ignore format: one row per finding
const requestFindings = {
  // Any request
  MALFORMED: ['The request cannot be read.', 'danger'],
  INVALID_EXPECTATION: ['The expectation is invalid, so nothing could be compared with it.', 'danger'],
  UNKNOWN_REQUEST: ['The wallet method is unknown.', 'warning'],
  BLIND_SIGNATURE: ['The wallet method signs bytes that cannot be read.', 'danger'],
  UNKNOWN_TYPED_DATA: ['The layout of the typed data is unknown.', 'warning', 'danger'],
  MISSING_DOMAIN: ['The typed data does not declare its domain, so it could be used anywhere.', 'danger'],
  OWN_ACCOUNT: ["The contract of the typed data is the user's own account.", 'danger'],
  RAW_TRANSACTION: ['The text consists of bytes that look like a transaction.', 'danger'],
  BARE_HASH: ['The text is 32 bytes that cannot be read: it could be the hash of anything.', 'danger'],
  SWAPPED_PARAMETERS: ['Account and text are swapped, and wallets differ in which of the two they sign.', 'danger'],
  INVISIBLE_CHARACTERS: ['Text contains invisible characters.', 'warning', 'danger'],
  PLAIN_TEXT: ['The format of the text is unknown.', 'warning'],
  WRONG_ACCOUNT: ['The requested or named account is not the expected one.', 'danger'],
  WRONG_WALLET: ['The request is for another wallet.', 'danger'],
  WRONG_CHAIN: ['The request is for another chain.', 'danger'],
  WRONG_NETWORK: ['The request is for another network.', 'danger'],
  WRONG_SIGNATURE: ['A signature is invalid.', 'danger'],
  NOT_COMPARED: ['The request was not compared with an expectation.', 'warning'],
  EXPIRED: ['The request has expired.', 'danger', 'warning'],
  EXPIRES_TOO_SOON: ['The request expires before it can be used.', 'danger'],
  EXPIRES_TOO_LATE: ['The request is valid for longer than usual.', 'warning', 'danger'],
  NOT_YET_VALID: ['The request is not valid yet.', 'warning', 'danger'],
  // Sign-in
  SIGN_IN: ['The sign-in message or challenge is invalid, or a memo looks like a sign-in message.', 'danger', 'warning'],
  INSECURE_SITE: ['The site uses plain http: others on the network can change the page.', 'warning'],
  UNCHECKED_SITE: ['The requesting site was not compared with an expected one.', 'warning'],
  STATEMENT_CHARACTERS: ['The sign-in statement has characters that EIP-4361 does not allow.', 'warning'],
  ADDRESS_CHECKSUM: ['The sign-in message has the account without its checksum.', 'warning'],
  // Credit permits and redeems
  UNSEEN_PURCHASE: ['The page did not disclose the purchase.', 'warning'],
  INVALID_INTENT: ['The purchase that the page disclosed cannot be read.', 'danger'],
  WRONG_PURCHASE: ['The request pays for a different purchase than the page disclosed.', 'danger'],
  UNPINNED_MERCHANT: ['The merchant is not pinned with the contract.', 'warning'],
  UNPINNED_ORIGIN: ['The requesting page is not pinned with the contract.', 'warning'],
  UNPINNED_ADAPTER: ['The bridge adapter is not pinned, so the purchase was not compared.', 'warning'],
  UNSEEN_RECEIVER: ['The call of the purchase was not decoded, so the receiver of the purchased goods is unknown.', 'warning'],
  UNSIGNED_PERMIT: ['The wallet signed no credit permit for the purchase that this USDC authorization pays for.', 'warning'],
  ORDER_SIGNED: ['The wallet signed a permit for the same order before.', 'warning', 'info'],
  ORDER_USED: ['The order was paid or cancelled before.', 'warning'],
  ABOVE_CAP: ['The request takes more than `maxCents` of the context.', 'danger'],
  UNPINNED_CHAIN: ['The chain was not compared with a pinned one.', 'warning'],
  UNPINNED_CREDIT_SEED: ['The credit seed is not pinned.', 'warning'],
  UNPINNED_CONTRACT: ['The credits contract is not pinned, or differs from the pinned one.', 'warning', 'danger'],
  WRONG_CONTRACT: ['The contract differs from the pinned one.', 'danger'],
  WRONG_CREDIT_SEED: ['The credit seed differs from the pinned one.', 'danger'],
  WRONG_DOMAIN_NAME: ['The name of the EIP-712 domain is wrong.', 'danger'],
  WRONG_DOMAIN_VERSION: ['The version of the EIP-712 domain is wrong.', 'danger'],
  UNBOUND_NONCE: ['The permit has a random nonce, so it is not tied to a purchase.', 'warning', 'danger'],
  RANDOM_NONCE: ['The permit has a random nonce, which the caller allowed.', 'warning'],
  ORDER_USED_ELSEWHERE: ['The order was redeemed or cancelled on another chain.', 'warning'],
  ORDER_NOT_READ: ['Another credits contract that may hold the order could not be read in time.', 'warning'],
  ABSURD_AMOUNT: ['The amount is larger than any purchase.', 'danger'],
  GAS_FEE_NOT_WHOLE_CENTS: ['The gas fee is not a whole number of cents.', 'warning'],
  TRANSFER_AUTHORIZATION: ['Anyone can execute the USDC authorization.', 'warning'],
  // USDC authorizations
  NOT_USDC: ["The token is not the chain's USDC.", 'danger', 'warning'],
  ZERO_AMOUNT: ['The amount is zero.', 'warning'],
  WRONG_RECEIVER: ['The request pays a different receiver.', 'danger'],
  UNPINNED_RECEIVER: ['The receiver is not pinned.', 'warning'],
  ANYONE_CAN_EXECUTE: ['Anyone who has the signature can execute it.', 'warning'],
  // Transactions: effects
  EXTRA_TRANSFER: ['The transaction makes an unexpected transfer.', 'danger', 'warning'],
  DELEGATE_APPROVAL: ['The request lets another account spend tokens.', 'danger', 'warning'],
  UNLIMITED_APPROVAL: ['The request lets another account take all tokens of one contract.', 'danger', 'warning'],
  AUTHORITY_CHANGE: ['The transaction changes the authority over an account.', 'danger', 'warning'],
  ACCOUNT_CLOSED: ['The transaction closes an account.', 'danger', 'warning'],
  ACCOUNT_DELEGATION: ['The request lets other code act as the account.', 'danger'],
  DURABLE_NONCE: ['The transaction does not expire until a durable nonce is used.', 'danger', 'warning'],
  PAYS_RENT: ['The wallet pays the rent of an account.', 'warning', 'danger'],
  INSTRUCTION: ['The transaction has a harmless instruction.', 'info'],
  UNKNOWN_INSTRUCTION: ['The transaction has an instruction that cannot be decoded.', 'danger', 'warning'],
  UNEXPECTED_INSTRUCTION: ['The transaction has an unexpected instruction.', 'danger', 'warning'],
  UNKNOWN_OPERATION: ['The transaction has an operation that cannot be decoded.', 'danger', 'warning'],
  UNEXPECTED_OPERATION: ['The transaction has an unexpected operation.', 'danger'],
  EXTRA_OPERATION: ['The transaction has more than one operation.', 'danger'],
  CALL_COUNT: ['The transaction makes more or fewer calls than expected.', 'danger'],
  CONTRACT_CREATION: ['The transaction creates a contract.', 'danger', 'warning'],
  SUB_INVOCATION: ['The call makes unexpected further calls.', 'danger'],
  WRONG_FUNCTION: ['The call is to a different function.', 'danger'],
  WRONG_ARGUMENTS: ['The arguments of the call are wrong.', 'danger'],
  WRONG_TARGET: ['The call is to a different contract.', 'danger'],
  WRONG_DATA: ['The call data is wrong.', 'danger'],
  UNEXPECTED_VALUE: ["The call sends the chain's native coin.", 'danger'],
  TRANSFER_MISSING: ['The transfer is missing.', 'danger'],
  CREATION_MISSING: ["The receiver's account is not created.", 'danger'],
  REFERENCE_MISSING: ['A reference of the payment is missing.', 'danger'],
  WRONG_AMOUNT: ['The amount is wrong.', 'danger'],
  WRONG_ASSET: ['The asset is wrong.', 'danger'],
  WRONG_MINT: ['The token is wrong.', 'danger'],
  WRONG_DECIMALS: ['The decimals of the token are wrong.', 'danger'],
  WRONG_SOURCE: ['The money comes from another account.', 'danger'],
  WRONG_OWNER: ['The money belongs to another owner.', 'danger'],
  WRONG_DESTINATION: ['The money goes to another account.', 'danger'],
  WRONG_MEMO: ['The memo does not match the payment.', 'danger'],
  // Transactions: signers, fees, accounts and validity
  CUSTOMER_PAYS_FEE: ['The customer pays the fee, which the page may have set.', 'warning', 'danger'],
  FEE_TOO_HIGH: ['The fee is higher than allowed.', 'danger', 'warning'],
  FEE_PAYER: ['The request names the account that pays the fee.', 'info'],
  WRONG_FEE_PAYER: ['Another account pays the fee.', 'danger'],
  WRONG_FEE_TOKEN: ['The fee is paid in another token.', 'danger'],
  NOT_SPONSORED: ['No sponsor pays the fee.', 'danger'],
  SELF_SPONSORED: ['The sponsor is the sender itself.', 'danger'],
  UNEXPECTED_SPONSOR: ['A sponsor pays the fee, which was not expected.', 'danger'],
  RENT_TOO_HIGH: ['The rent is higher than allowed.', 'danger'],
  WRONG_RENT_PAYER: ['Another account pays the rent.', 'danger'],
  WRONG_COMPUTE_BUDGET: ['The compute budget differs from the expected one.', 'danger'],
  WRONG_SENDER: ['The sender is another account.', 'danger'],
  SIGNER_MISSING: ['A required signer is missing.', 'danger'],
  EXTRA_SIGNER: ['The transaction has a signer that is not required.', 'danger', 'warning'],
  FOREIGN_SIGNATURE: ['The transaction has a signature by another account.', 'danger', 'warning'],
  EXTRA_AUTHORIZATION: ['The transaction has an unexpected authorization.', 'danger'],
  KEY_AUTHORIZATION: ['The transaction gives another key power over the account.', 'danger'],
  ACCESS_KEY_UNCHECKED: ['The permissions of the access key were not checked.', 'warning'],
  ACCESS_LIST: ['The transaction has an access list.', 'danger', 'warning'],
  WRONG_NONCE: ['The nonce is wrong.', 'danger'],
  WRONG_NONCE_KEY: ['The nonce key is wrong.', 'danger'],
  WRONG_SEQUENCE: ['The sequence number is wrong.', 'danger'],
  WRONG_BLOCKHASH: ['The blockhash is wrong.', 'danger'],
  NO_TIME_LIMIT: ['The transaction has no expiry.', 'danger', 'warning'],
  EXPIRY_UNCHECKED: ['The expiry of the transaction could not be checked.', 'warning'],
  UNKNOWN_CONDITION: ['The transaction has an unexpected condition.', 'danger', 'warning'],
  UNEXPECTED_RESOURCES: ['The transaction has unexpected resources.', 'danger', 'warning'],
  UNEXPECTED_ACCOUNT: ['An instruction uses an account that was not expected.', 'danger', 'warning'],
  DUPLICATE_ACCOUNT: ['A lookup table repeats an account.', 'danger'],
  EXTRA_WRITABLE: ['An account that must not be writable is writable.', 'danger'],
  NOT_WRITABLE: ['An account that must be writable is not writable.', 'danger'],
  UNUSED_ACCOUNT: ['An account is never used.', 'danger'],
  UNRESOLVED_LOOKUP_TABLE: ['A lookup table is not known.', 'danger', 'warning'],
} as const satisfies Record<string, Row>

// biome-ignore format: one row per finding
const rows = {
  ...requestFindings,
  // Dry runs of a redeem
  DRY_RUN_UNAVAILABLE: ['The redeem could not be simulated before signing.', 'warning'],
  NONCE_USED: ['The nonce was already redeemed or cancelled.', 'danger'],
  INSUFFICIENT_CREDITS: ['The wallet has fewer credits than the redeem may charge.', 'danger'],
  INSUFFICIENT_USDC: ['The wallet has less USDC than the redeem pays.', 'danger'],
  // Merchant contracts: economic rules
  NOT_WHITELISTED: ["The target is not on the merchant's whitelist, or can never be added to it.", 'danger'],
  SELECTOR_NOT_WHITELISTED: ['The target is on the whitelist, but the called function is not.', 'danger'],
  CALL_REVERTS: ['The contract itself rejects the call.', 'danger'],
  PULLS_MORE: ['The contract tries to take more USDC than the amount.', 'danger'],
  PULLS_LESS: ['The contract takes less USDC than the amount, or sends some of it back to its caller.', 'danger', 'warning'],
  PULLS_NOTHING: ['The contract takes no USDC.', 'danger'],
  PULLS_FROM_OTHERS: ['The contract tries to take USDC from an account other than its caller.', 'danger'],
  NEEDS_NATIVE_COIN: ["The contract requires the chain's native coin.", 'danger'],
  MINTS_WITHOUT_HOOK: ['The call is declared as `safeMint`, but it mints without the receiver hook.', 'danger'],
  RETURNS_NO_ID: ['The call is declared as `returned`, but it returns no token id.', 'danger'],
  WRONG_NFT_ID: ['A different token arrived than the one bought.', 'danger'],
  NFT_STAYS_BEHIND: ['An NFT or ERC-20 tokens remain with the credits contract or the relayer.', 'danger'],
  REENTERS: ['The contract calls the credits contract during the redeem.', 'danger'],
  LEAVES_ALLOWANCE: ['The redeem leaves a USDC allowance behind.', 'danger'],
  KEEPS_MONEY_ON_SHORT_GAS: ['With less gas, the contract keeps the money and does not deliver.', 'danger'],
  // Merchant contracts: rules that need a trace
  RECEIVER_NOT_CUSTOMER: ['The receiver in the call data is not the customer.', 'danger', 'warning'],
  USES_TX_ORIGIN: ['The contract behaves differently depending on the sender of the transaction.', 'danger', 'warning'],
  DEPENDS_ON_TIME: ['The call has a different effect at another time.', 'warning'],
  DIFFERS_ON_SECOND_CALL: ['A second identical call has a different effect.', 'warning'],
  SEES_ONE_CUSTOMER: ['The shop treats the credits contract as its only customer.', 'warning'],
  GAS_ABOVE_LIMIT: ['The call needs more gas than a whitelist entry or a transaction may have.', 'danger', 'warning'],
  SWALLOWS_FAILURE: ['An inner call failed, and the contract continued.', 'warning'],
  UPGRADEABLE: ['The owner can replace the code, so the whitelisted behavior can change.', 'warning'],
} as const satisfies Record<string, Row>

type Row = readonly [meaning: string, ...severities: Severity[]]
type Rows = typeof rows

/**
 * All findings: their codes, the severities that each can have, and their meanings.
 *
 * Codes are stable. The message of a {@link Finding} states its meaning with the offending value.
 */
export const findingCatalogue = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(rows).map(([code, [meaning, ...severities]]) => [
    code,
    { severities, meaning },
  ]),
) as unknown as {
  // `Object.fromEntries` forgets which code has which severities
  readonly [code in FindingCode]: {
    readonly severities: readonly SeverityOf<code>[]
    readonly meaning: Rows[code][0]
  }
}

/** The stable code of a finding, such as `UNPINNED_CONTRACT`. */
export type FindingCode = keyof Rows

/** A finding code that the `inspect` functions can return. */
export type RequestFindingCode = keyof typeof requestFindings

/** The severities that a finding of this code can have. */
export type SeverityOf<code extends FindingCode> = Extract<Rows[code][number], Severity>

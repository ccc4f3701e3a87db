import type { FindingCode } from '../../../redeemkit/core/finding/findingCatalogue.ts'
import { mostMinimumGas, permitMaximumSeconds } from '../../../redeemkit/core/limits.ts'
import { creditsErrors } from '../../../redeemkit/evm/revert/creditsErrors.ts'

export const permitMaximumText = `${permitMaximumSeconds / 60n} minutes`

/** The minimum and maximum gas that a whitelist entry can require, as text. */
export const minimumGasRange = `1 to ${mostMinimumGas.toLocaleString('en-US')}`

/** The change that a contract's author must make for each rule, grouped by who can check the rule. */
const fixes = {
  economic: {
    NOT_WHITELISTED:
      'Request an entry: npx redeemkit whitelist request. No entry can allow USDC, the credits contract, Permit2 or an address without code: call another contract, or deploy it first.',
    SELECTOR_NOT_WHITELISTED:
      'Call an allowed function, or request an entry for this one. No entry can allow a function that moves tokens or grants rights over them.',
    CALL_REVERTS: 'Find the failing call and its reason in the call tree (in Foundry: forge test -vvvv).',
    PULLS_MORE: 'Take no more than the amount with transferFrom, or raise the subtotal to the price.',
    PULLS_LESS:
      'If the price is fixed, take the whole amount with transferFrom, or lower the subtotal to the price. What the contract does not take is returned to the customer as credits. Send nothing back to msg.sender.',
    PULLS_NOTHING: 'Take the payment: usdc.transferFrom(msg.sender, address(this), price).',
    PULLS_FROM_OTHERS:
      'Take the payment from msg.sender, which has approved it, not from the customer or tx.origin.',
    NEEDS_NATIVE_COIN: 'Do not require msg.value: a redeem pays in USDC only.',
    MINTS_WITHOUT_HOOK: creditsErrors.NoTokensArrived.fix,
    RETURNS_NO_ID: creditsErrors.TokenIdNotReturned.fix,
    WRONG_NFT_ID: creditsErrors.TokenNotReceived.fix,
    NFT_STAYS_BEHIND:
      'Send the token to the receiver in the call data. A redeem forwards only NFTs, with the type `safeMint`, `returned` or `known token id`, and never ERC-20 tokens.',
    REENTERS: 'Call the credits contract in a separate transaction.',
    LEAVES_ALLOWANCE:
      'Approve only what is spent immediately, or reset the allowance to 0 before the call ends.',
    KEEPS_MONEY_ON_SHORT_GAS:
      'Let a failed delivery revert instead of catching it, or request a whitelist entry with enough minimumGas.',
  },
  trace: {
    RECEIVER_NOT_CUSTOMER: "Put the customer's address into the call data, unless this is a gift.",
    USES_TX_ORIGIN: 'Use a receiver parameter: tx.origin is the relayer, and may differ each time.',
    DEPENDS_ON_TIME: `Allow for ${permitMaximumText} between signature and redeem: keep prices and end times unchanged for that long, and set deadlines in the call data at least that far ahead.`,
    DIFFERS_ON_SECOND_CALL:
      'If this is intended (one per customer, a one-off item, a rising price), tell the customer before they sign.',
    SEES_ONE_CUSTOMER:
      'Apply limits, prices and lists to the receiver in the call data: msg.sender is the credits contract for every customer, so all customers share one limit.',
    GAS_ABOVE_LIMIT: `Do less in one call: an entry can require at most ${mostMinimumGas.toLocaleString('en-US')} gas.`,
    SWALLOWS_FAILURE:
      'Revert if the inner call fails: the redeem then fails too, and the customer keeps the credits.',
    UPGRADEABLE:
      'Put upgrades behind a timelock of at least a day, or sell from a contract that cannot be upgraded.',
  },
} as const satisfies Record<string, Partial<Record<FindingCode, string>>>

export type RuleCode = keyof (typeof fixes)['economic'] | keyof (typeof fixes)['trace']

type Rule = { code: RuleCode; judgedBy: keyof typeof fixes; fix: string }

/**
 * Foundry, Vitest and the command line check `economic` rules. `trace` rules need a trace, which Foundry does not have.
 * `contracts/generate.mjs` writes the fixes of the economic rules into `RedeemTexts.sol`.
 */
export const ruleCatalogue = Object.entries(fixes).flatMap(([judgedBy, rules]) =>
  // the table has these keys
  Object.entries(rules).map(([code, fix]) => ({ code, judgedBy, fix }) as Rule),
)

/** For a token that the credits contract may not forward. `contracts/generate.mjs` also writes this fix into `RedeemTexts.sol`. */
export const notForwardedFix =
  'Allow msg.sender, the credits contract, to transfer the token to the customer immediately, or mint to the receiver in the call data and declare the type `normal`.'

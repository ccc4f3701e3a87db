import type { FindingCode } from '../../../redeemkit/core/finding/findingCatalogue.ts'
import { creditsErrors } from '../../../redeemkit/evm/revert/creditsErrors.ts'

/**
 * The rules for merchants' contracts: the finding code, who can check the rule, and what to change in the contract.
 *
 * `economic` rules show in balances, allowances, logs and return values: Foundry, Vitest and the command line check them with
 * the same result. `trace` rules need a trace: Vitest and the command line check them. `contracts/generate.mjs` writes the
 * economic rules into `RedeemTexts.sol`, and a test compares PROTOCOL.md 6.8.
 */
export const ruleCatalogue = [
  {
    code: 'NOT_WHITELISTED',
    judgedBy: 'economic',
    fix: 'Request an entry: npx redeemkit whitelist request. No entry can allow USDC, the credits contract, Permit2 or an address without code: call another contract, or deploy it first.',
  },
  {
    code: 'SELECTOR_NOT_WHITELISTED',
    judgedBy: 'economic',
    fix: 'Call an allowed function, or request an entry for this one.',
  },
  {
    code: 'CALL_REVERTS',
    judgedBy: 'economic',
    fix: 'Find the failing call and its reason in the call tree (in Foundry: forge test -vvvv).',
  },
  {
    code: 'PULLS_MORE',
    judgedBy: 'economic',
    fix: 'transferFrom no more than the amount, or raise the subtotal to the price.',
  },
  {
    code: 'PULLS_LESS',
    judgedBy: 'economic',
    fix: 'If the price is fixed, transferFrom the whole amount, or lower the subtotal to the price. The rest is returned to the customer as credits. Send nothing back to msg.sender.',
  },
  {
    code: 'PULLS_NOTHING',
    judgedBy: 'economic',
    fix: 'Take the payment: usdc.transferFrom(msg.sender, address(this), price).',
  },
  {
    code: 'PULLS_FROM_OTHERS',
    judgedBy: 'economic',
    fix: 'Take the payment from msg.sender, which has approved it, not from the customer or tx.origin.',
  },
  {
    code: 'NEEDS_NATIVE_COIN',
    judgedBy: 'economic',
    fix: 'Do not require msg.value: a redeem pays in USDC only.',
  },
  {
    code: 'MINTS_WITHOUT_HOOK',
    judgedBy: 'economic',
    fix: creditsErrors.NoTokensArrived.fix,
  },
  {
    code: 'RETURNS_NO_ID',
    judgedBy: 'economic',
    fix: creditsErrors.TokenIdNotReturned.fix,
  },
  {
    code: 'WRONG_NFT_ID',
    judgedBy: 'economic',
    fix: creditsErrors.TokenNotReceived.fix,
  },
  {
    code: 'NFT_STAYS_BEHIND',
    judgedBy: 'economic',
    fix: 'Send it to the receiver in the call data. Only an NFT is forwarded to the customer, with the shape safeMint or returned; ERC-20 tokens never are.',
  },
  {
    code: 'REENTERS',
    judgedBy: 'economic',
    fix: 'Call the credits contract in a separate transaction.',
  },
  {
    code: 'LEAVES_ALLOWANCE',
    judgedBy: 'economic',
    fix: 'Approve only what is spent immediately, or reset the allowance to 0 before the call ends.',
  },
  {
    code: 'KEEPS_MONEY_ON_SHORT_GAS',
    judgedBy: 'economic',
    fix: 'Let a failed delivery revert instead of catching it, or request a whitelist entry with enough minimumGas.',
  },
  {
    code: 'RECEIVER_NOT_CUSTOMER',
    judgedBy: 'trace',
    fix: "Put the customer's address into the call data, unless this is a gift.",
  },
  {
    code: 'USES_TX_ORIGIN',
    judgedBy: 'trace',
    fix: 'Use a receiver parameter: tx.origin is the relayer, and may differ each time.',
  },
  {
    code: 'DEPENDS_ON_TIME',
    judgedBy: 'trace',
    fix: 'Expect a redeem up to an hour after it was signed: keep prices and end times unchanged for that long, and deadlines in the call data open.',
  },
  {
    code: 'DIFFERS_ON_SECOND_CALL',
    judgedBy: 'trace',
    fix: 'If this is intended (one per customer, a voucher, a single piece), tell the customer before they sign.',
  },
  {
    code: 'SEES_ONE_CUSTOMER',
    judgedBy: 'trace',
    fix: 'Keep limits, prices and lists by the receiver in the call data: msg.sender is the credits contract for every customer, so a limit of 1 is one for all of them.',
  },
  {
    code: 'GAS_ABOVE_LIMIT',
    judgedBy: 'trace',
    fix: 'Do less in one call: an entry can allow at most 15,500,000 gas.',
  },
  {
    code: 'SWALLOWS_FAILURE',
    judgedBy: 'trace',
    fix: 'Let the failure revert: the redeem is then reverted, and the customer keeps the credits.',
  },
  {
    code: 'UPGRADEABLE',
    judgedBy: 'trace',
    fix: 'Put upgrades behind a timelock, or sell from a contract that cannot be upgraded.',
  },
] as const satisfies readonly Rule[]

export type RuleCode = (typeof ruleCatalogue)[number]['code']

type Rule = {
  code: FindingCode
  judgedBy: 'economic' | 'trace'
  /** Advice for the author of the contract. */
  fix: string
}

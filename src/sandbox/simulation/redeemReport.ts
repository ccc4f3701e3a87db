import type { Hex } from 'viem'
import type { Finding, Verdict } from '../../redeemkit/core/finding/finding.ts'
import type { SettlementKind } from '../../redeemkit/evm/transactionData/settlementOf.ts'
import type { RuleCode } from './rules/ruleCatalogue.ts'

/**
 * The effects of a redeem, simulated or mined, to review before whitelisting a contract. The report is plain data. Amounts are in
 * raw units of USDC (1 USD is `1_000_000n`); addresses are checksummed.
 */
export type RedeemReport = {
  /** `ok`: no rule is broken. `caution`: only warnings. `refuse`: the redeem fails, or someone loses money or tokens. */
  verdict: Verdict
  /** Broken rules, the most severe first. */
  findings: readonly RuleFinding[]
  /** Rules that this node cannot check, with the reason. */
  notJudged: readonly { code: RuleCode; reason: string }[]
  redeem: ReportedRedeem
  whitelist: ReportedEntry
  execution: ReportedExecution
  usdc: ReportedUsdc
  /** All ERC-721 and ERC-1155 tokens that moved, with their final owners. */
  nfts: readonly ReportedNft[]
  gas: ReportedGas
  /** Tokens and allowances that the redeem wrongly left behind, one line each. */
  leftBehind: readonly string[]
  callTree: CallFrame
}

/** A broken rule, with the offending value and a fix. */
export type RuleFinding = Finding & { code: RuleCode }

/** The requested redeem. */
export type ReportedRedeem = {
  shape: SettlementKind
  wallet: Hex
  relayer: Hex
  creditSeed: string
  /** The contract that the redeem calls, or the address that it pays. */
  target: Hex
  /** `undefined` for a token redeem. */
  selector: Hex | undefined
  /** Signature such as `buy(address,uint256)`, if an ABI or a known selector has it. */
  signature: string | undefined
  amount: bigint
  usdcAmount: bigint
  blockNumber: bigint
  /** Transaction hash, if the redeem was submitted. */
  hash: Hex | undefined
  /** `assumed`: nothing was signed, and a contract that accepts every signature replaced the wallet in the simulation. */
  signatures: 'real' | 'assumed'
}

/** The whitelist entry for the call. */
export type ReportedEntry = {
  /** Whether the redeem needs an entry. A token redeem needs none. */
  isNeeded: boolean
  isAllowed: boolean
  /** Gas that the entry requires for the call. */
  minimumGas: bigint | undefined
  /** Why no entry can allow the call: for example `an address without code`. */
  forbidden: string | undefined
  /**
   * Whether a second run assumed the missing entry. USDC, NFTs, gas and leftovers then come from that run, and `findings` includes the
   * findings of that run.
   */
  isAssumed: boolean
  /** If the call is not allowed: the allowed selectors of this target, or `any` for an entry that names no function (PROTOCOL.md 6.3). */
  allowedSelectors: readonly (Hex | 'any')[]
}

/** Whether the redeem succeeded; if not, where and why it failed. */
export type ReportedExecution =
  | { succeeded: true }
  | {
      succeeded: false
      /** Position in the call tree at which the failure began, as indexes from the root. `[]` is the root. */
      at: readonly number[]
      /** The contract that reverted. */
      contract: Hex
      /** The error's name, if it has one: `SoldOut`. */
      error: string | undefined
      /** Reason such as `SoldOut: limit 5`, `it ran out of gas` or `it has no function 0x12345678`. */
      reason: string
      data: Hex
      /** What to change to make the redeem succeed. */
      fix: string
    }

type ReportedUsdc = {
  /** USDC that the target was allowed to take: the amount of the redeem. */
  approved: bigint
  /** USDC that the target took. */
  pulled: bigint
  /** USDC that was returned to the customer as credits. */
  refunded: bigint
  /** Accounts whose USDC balance grew, with the net amount. */
  received: readonly { account: Hex; amount: bigint }[]
  /**
   * Every USDC transfer that was attempted, including reverted ones. `done`: the USDC call itself succeeded. `given`: the transfer
   * was not reverted by an outer call either.
   */
  wanted: readonly { by: Hex; from: Hex; to: Hex; amount: bigint; done: boolean; given: boolean }[]
}

export type ReportedNft = {
  contract: Hex
  standard: 'ERC-721' | 'ERC-1155'
  id: bigint
  /** Amount; 1 for an ERC-721 token. */
  amount: bigint
  /** Original recipient, if the redeem minted the token; `undefined` for an existing token. */
  mintedTo: Hex | undefined
  /** Final owner according to the contract; the zero address if the token has no owner. */
  holder: Hex
  holderIs: 'customer' | 'receiver' | 'credits contract' | 'relayer' | 'merchant' | 'another account'
}

type ReportedGas = {
  /** Gas of the whole transaction. */
  used: bigint
  /** Gas of the merchant's call. */
  call: bigint | undefined
  /** Recommended `minimumGas` of a whitelist entry for this call. */
  suggestedMinimumGas: bigint | undefined
  /** Gas fee in USDC; 0 if the merchant pays it. `undefined` without a gas price. */
  fee: bigint | undefined
  /** Credits to charge: the amount minus the USDC part, plus the fee. */
  charged: bigint | undefined
}

/** One call of the trace, with its result. */
export type CallFrame = {
  type: 'CALL' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'CALLCODE' | 'SELFDESTRUCT'
  from: Hex
  to: Hex | undefined
  value: bigint
  /** Call data. Like the output and log data, it is cut after 32,768 bytes. */
  input: Hex
  output: Hex
  gas: bigint
  gasUsed: bigint
  /** Text such as `buy(address receiver = 0x…, uint256 price = 10000000)`, if an ABI or a known selector has the function. */
  text: string | undefined
  /** Failure reason; `undefined` if the call succeeded. */
  failure: string | undefined
  logs: readonly { address: Hex; topics: readonly Hex[]; data: Hex; text: string | undefined }[]
  calls: readonly CallFrame[]
}

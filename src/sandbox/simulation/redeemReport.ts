import type { Hex } from 'viem'
import type { Finding, Verdict } from '../../redeemkit/core/finding/finding.ts'
import type { SettlementKind } from '../../redeemkit/evm/transactionData/settlementOf.ts'
import type { RuleCode } from './rules/ruleCatalogue.ts'

/**
 * Effects of a redeem, simulated or mined: what to review before whitelisting a contract. Plain data. Amounts are raw units of USDC (1 USD
 * is `1_000_000n`); addresses are checksummed.
 */
export type RedeemReport = {
  /** `ok`: no rule is broken. `caution`: warnings only. `refuse`: the redeem fails, or someone loses money or tokens. */
  verdict: Verdict
  /** Broken rules, most severe first. */
  findings: readonly RuleFinding[]
  /** Rules that could not be checked on this node, with the reason. */
  notJudged: readonly { code: RuleCode; reason: string }[]
  redeem: ReportedRedeem
  whitelist: ReportedEntry
  execution: ReportedExecution
  usdc: ReportedUsdc
  /** Every ERC-721 and ERC-1155 token that moved, with its final owner. */
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
  /** The called contract, or the paid address. */
  target: Hex
  /** `undefined` for a token redeem. */
  selector: Hex | undefined
  /** `buy(address,uint256)`, if an ABI or a known selector has it. */
  signature: string | undefined
  amount: bigint
  usdcAmount: bigint
  blockNumber: bigint
  /** Transaction hash, if the redeem was sent. */
  hash: Hex | undefined
  /** `assumed`: nothing was signed; a contract that approves everything simulated the wallet. */
  signatures: 'real' | 'assumed'
}

/** The whitelist entry for the call. */
export type ReportedEntry = {
  /** A token redeem needs no entry. */
  isNeeded: boolean
  isAllowed: boolean
  /** Gas that the entry requires for the call. */
  minimumGas: bigint | undefined
  /** Why no entry can allow the call, such as `an address without code`. */
  forbidden: string | undefined
  /** True if the call has no entry. USDC, NFTs, gas and leftovers then come from a second run that assumes one; `findings` also has those of that run. */
  isAssumed: boolean
  /** If the call is not allowed: the allowed selectors of this target; `any` for every function. */
  allowedSelectors: readonly (Hex | 'any')[]
}

/** Whether the redeem succeeded, and if not, where and why. */
export type ReportedExecution =
  | { succeeded: true }
  | {
      succeeded: false
      /** Position in the call tree where the failure began: indexes from the root; `[]` is the root. */
      at: readonly number[]
      /** The contract that reverted. */
      contract: Hex
      /** The error's name, if it has one: `SoldOut`. */
      error: string | undefined
      /** `SoldOut: limit 5`, `it ran out of gas`, `it has no function 0x12345678`. */
      reason: string
      data: Hex
      /** What to change. */
      fix: string
    }

type ReportedUsdc = {
  /** USDC that the target may take: the amount. */
  approved: bigint
  /** USDC that the target took. */
  pulled: bigint
  /** Returned to the customer as credits. */
  refunded: bigint
  /** Accounts that gained USDC, with the net amount. */
  received: readonly { account: Hex; amount: bigint }[]
  /**
   * Every attempted USDC transfer, including reverted ones. `done`: the USDC call succeeded. `given`: no outer call
   * reverted it.
   */
  wanted: readonly { by: Hex; from: Hex; to: Hex; amount: bigint; done: boolean; given: boolean }[]
}

export type ReportedNft = {
  contract: Hex
  standard: 'ERC-721' | 'ERC-1155'
  id: bigint
  /** 1 for an ERC-721 token. */
  amount: bigint
  /** Original recipient of a mint; `undefined` for an existing token. */
  mintedTo: Hex | undefined
  /** Final owner, read from the contract; the zero address if the token has no owner. */
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
  /** In USDC; 0 if the merchant pays. `undefined` without a gas price. */
  fee: bigint | undefined
  /** Charged credits: the amount minus the USDC part, plus the fee. */
  charged: bigint | undefined
}

/** One call of the trace, with its result. */
export type CallFrame = {
  type: 'CALL' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'CALLCODE' | 'SELFDESTRUCT'
  from: Hex
  to: Hex | undefined
  value: bigint
  /** The first 32,768 bytes, like the output and log data. */
  input: Hex
  output: Hex
  gas: bigint
  gasUsed: bigint
  /** `buy(address receiver = 0x…, uint256 price = 10000000)`, if an ABI or a known selector has it. */
  text: string | undefined
  /** Failure reason; `undefined` if the call succeeded. */
  failure: string | undefined
  logs: readonly { address: Hex; topics: readonly Hex[]; data: Hex; text: string | undefined }[]
  calls: readonly CallFrame[]
}

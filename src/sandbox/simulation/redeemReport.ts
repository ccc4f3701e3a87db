import type { Hex } from 'viem'
import type { Finding, Verdict } from '../../redeemkit/core/finding/finding.ts'
import type { SettlementKind } from '../../redeemkit/evm/transactionData/settlementOf.ts'
import type { RuleCode } from './rules/ruleCatalogue.ts'

/**
 * What a redeem would do, or did: all that a person has to know before a contract goes on a whitelist. Plain data; amounts are
 * raw units of USDC (1 USD is `1_000_000n`), gas is gas, addresses have their checksum.
 */
export type RedeemReport = {
  /** `ok` when no rule is broken, `caution` with warnings, `refuse` when the redeem fails or somebody loses by it. */
  verdict: Verdict
  /** The rules that are broken, the gravest first. */
  findings: readonly RuleFinding[]
  /** Rules that this node could not judge, each with the reason. */
  notJudged: readonly { code: RuleCode; reason: string }[]
  redeem: ReportedRedeem
  whitelist: ReportedEntry
  execution: ReportedExecution
  usdc: ReportedUsdc
  /** Every ERC-721 and ERC-1155 token that moved, and who has it in the end. */
  nfts: readonly ReportedNft[]
  gas: ReportedGas
  /** State that should not be there afterwards, one line each. */
  leftBehind: readonly string[]
  callTree: CallFrame
}

/** A rule that is broken, with the offending value and the way out. */
export type RuleFinding = Finding & { code: RuleCode }

/** What was asked for. */
export type ReportedRedeem = {
  shape: SettlementKind
  wallet: Hex
  relayer: Hex
  creditSeed: string
  /** What is called, or paid. */
  target: Hex
  /** Of the call; `undefined` for a token redeem. */
  selector: Hex | undefined
  /** `buy(address,uint256)`, when an ABI or a known selector tells. */
  signature: string | undefined
  amount: bigint
  usdcAmount: bigint
  blockNumber: bigint
  /** Of a redeem that was sent. */
  hash: Hex | undefined
  /** `assumed`: nobody has signed; the wallet was played by a contract that agrees to everything. */
  signatures: 'real' | 'assumed'
}

/** Whether the call may be made at all. */
export type ReportedEntry = {
  /** A token redeem needs no entry. */
  isNeeded: boolean
  isAllowed: boolean
  /** Gas that the entry asks a relayer to leave for the call. */
  minimumGas: bigint | undefined
  /** Why no entry can allow it: `USDC`, `the credits contract`, `an address without code`, a forbidden function. */
  forbidden: string | undefined
  /** Of a call that is not allowed: what the merchant's entries allow of this target instead; `any` for every function. */
  allowedSelectors: readonly (Hex | 'any')[]
}

/** Whether it went through, and where and why it did not. */
export type ReportedExecution =
  | { succeeded: true }
  | {
      succeeded: false
      /** Frame of the call tree in which it began: places of calls from the root, `[]` is the root. */
      at: readonly number[]
      /** Whose code reverted. */
      contract: Hex
      /** The error's name, when it has one: `SoldOut`. */
      error: string | undefined
      /** In words: `SoldOut: limit 5`, `it ran out of gas`, `it has no function 0x12345678`. */
      reason: string
      data: Hex
      /** In words what to change. */
      fix: string
    }

type ReportedUsdc = {
  /** What the target was allowed to take: the amount. */
  approved: bigint
  /** What it took. */
  pulled: bigint
  /** What became credits of the customer again. */
  refunded: bigint
  /** Who has more USDC afterwards, and how much more. */
  received: readonly { account: Hex; amount: bigint }[]
  /**
   * Who wanted USDC, from whom, also in calls that were undone: `done` when USDC did it, `given` when it was not undone with a
   * call around it.
   */
  wanted: readonly { by: Hex; from: Hex; to: Hex; amount: bigint; done: boolean; given: boolean }[]
}

export type ReportedNft = {
  contract: Hex
  standard: 'ERC-721' | 'ERC-1155'
  id: bigint
  /** 1 for an ERC-721 token. */
  amount: bigint
  /** Whom it was minted to, or `undefined` for one that was there before. */
  mintedTo: Hex | undefined
  /** Who has it in the end, asked of its contract; the zero address when nobody has. */
  holder: Hex
  holderIs: 'customer' | 'receiver' | 'credits contract' | 'relayer' | 'merchant' | 'another account'
}

type ReportedGas = {
  /** By the whole transaction. */
  used: bigint
  /** By the merchant's call. */
  call: bigint | undefined
  /** What an entry for this call should ask for. */
  suggestedMinimumGas: bigint | undefined
  /** In USDC; 0 when the merchant pays. `undefined` where no price was given. */
  fee: bigint | undefined
  /** Credits that are taken: amount without the customer's USDC, and the fee. */
  charged: bigint | undefined
}

/** One call of the trace, with what came of it in words. */
export type CallFrame = {
  type: 'CALL' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'CALLCODE' | 'SELFDESTRUCT'
  from: Hex
  to: Hex | undefined
  value: bigint
  /** The first 32,768 bytes, as of the output and of the data of logs. */
  input: Hex
  output: Hex
  gas: bigint
  gasUsed: bigint
  /** `buy(address receiver = 0x…, uint256 price = 10000000)`, when an ABI or a known selector tells. */
  text: string | undefined
  /** In words; `undefined` when it went through. */
  failure: string | undefined
  logs: readonly { address: Hex; topics: readonly Hex[]; data: Hex; text: string | undefined }[]
  calls: readonly CallFrame[]
}

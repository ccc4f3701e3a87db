import type { Hex } from 'viem'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import type { Settlement } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { CallFrame, ReportedRedeem, RuleFinding } from '../redeemReport.ts'
import type { Overrides } from '../run/redeemPlan.ts'

/** What a rule is given: one run of a redeem, and the means to run it again under other circumstances. */
export type RuleContext = {
  client: EvmClient
  creditsContract: Hex
  usdc: Hex
  redeem: ReportedRedeem
  settlement: Settlement
  /** The run; its root is the call of the credits contract. */
  frame: CallFrame
  /** The call of the target inside of it; `undefined` when it did not come to that. */
  call: CallFrame | undefined
  /** Runs the same redeem again. The node's state stays as it was. */
  rerun: (circumstances: Circumstances) => Promise<Run>
  /** The words of a contract's storage that the redeem reads or writes, as they are before it. */
  reads: (of: Hex) => Promise<Readonly<Record<Hex, Hex>>>
}

/** How a further run differs from the first. */
export type Circumstances = {
  /** Later by so many seconds, and by as many blocks as come in them. The permit stays good. */
  seconds?: number | undefined
  /** In a block of another proposer, with this randomness, dearer, and at a price. */
  randomness?: Hex | undefined
  /** Sent by this account. Without a gas fee when it is no operator. */
  relayer?: Hex | undefined
  /** Gas that is left for the call of the target. */
  callGas?: bigint | undefined
  /** After the redeem was done once already, with another salt. */
  second?: boolean | undefined
  /** With this state beside what is assumed already. */
  state?: Overrides | undefined
  /** The run has the outermost call alone: whether it went through, and its gas. Costs the node less. */
  onlyTopCall?: boolean | undefined
}

export type Run = { succeeded: boolean; frame: CallFrame }

/** Judges one rule, or some that are told apart by the same look. */
export type Judge = (context: RuleContext) => Promise<readonly RuleFinding[]> | readonly RuleFinding[]

import type { Transaction, xdr } from '@stellar/stellar-sdk'
import { compare, type InspectionContext } from './context.ts'

/** Half more than a simulation found is taken, and this: ledgers change between two simulations, and servers pad them differently. */
const slack = { fee: 100_000n, instructions: 1_000_000n, diskReadBytes: 5_000n, writeBytes: 5_000n } as const
const withMargin = (need: bigint, name: keyof typeof slack) => (need * 3n) / 2n + slack[name]
/** What is offered for inclusion beside the resources, at most, in stroops: 0.1 XLM. */
const maxInclusionFee = 1_000_000n
/** Where nobody has simulated: 1 XLM. */
const maxUnknownFee = 10_000_000n

/** The most that the fee's payer may be charged, in stroops. */
export function maxFeeOf({ maxFee, simulation }: InspectionContext): bigint {
  if (maxFee !== undefined) return maxFee
  return simulation === undefined
    ? maxUnknownFee
    : withMargin(BigInt(simulation.minResourceFee), 'fee') + maxInclusionFee
}

/** Holds what a call declares against what the simulation says that it needs: all of what is declared is paid for. */
export function compareResources(transaction: Transaction, context: InspectionContext): void {
  const { simulation } = context
  if (simulation === undefined) return
  const data: unknown = transaction.toEnvelope().v1().tx().ext().value()
  compare(context, 'UNEXPECTED_RESOURCES', 'ext', 'without resources', 'resources', Boolean(data))
  if (!data) return
  // The only value that the extension can have.
  const declared = amountsOf(data as xdr.SorobanTransactionData)
  const needed = amountsOf(simulation.transactionData.build(), BigInt(simulation.minResourceFee))
  for (const name of ['fee', 'instructions', 'diskReadBytes', 'writeBytes'] as const) {
    const [amount, most] = [declared[name], withMargin(needed[name], name)]
    compare(context, 'UNEXPECTED_RESOURCES', `resources.${name}`, amount, `at most ${most}`, amount <= most)
  }
}

function amountsOf(
  data: xdr.SorobanTransactionData,
  fee = BigInt(data.resourceFee().toString()),
): Record<keyof typeof slack, bigint> {
  const resources = data.resources()
  return {
    fee,
    instructions: BigInt(resources.instructions()),
    diskReadBytes: BigInt(resources.diskReadBytes()),
    writeBytes: BigInt(resources.writeBytes()),
  }
}

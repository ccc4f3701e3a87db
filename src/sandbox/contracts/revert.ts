import type { Hex } from 'viem'
import { isRevert } from '../../redeemkit/evm/client.ts'
import { revertDataOf as bytesOf } from '../../redeemkit/evm/revert/decodeRevert.ts'
import { describeRevert } from '../simulation/abi/describe.ts'

export type Revert = {
  /** The revert's text, or the custom error's name and values. */
  reason: string
  /** The decoded custom error, with values that JSON can represent. */
  error?: { name: string; args: Record<string, unknown> } | undefined
  data: Hex
}

/** Returns the revert data of an error thrown by viem, or undefined if the call did not revert but the node failed. */
export function revertDataOf(error: unknown): Hex | undefined {
  return bytesOf(error) ?? (isRevert(error) ? '0x' : undefined)
}

/** Decodes revert data of redeemkit's contracts, `Error`, `Panic` and the errors of common contracts. */
export function decodeRevert(data: Hex): Revert {
  const { name, args, reason } = describeRevert(data)
  const isCustom = name !== undefined && name !== 'Error' && name !== 'Panic'
  return { reason, ...(isCustom && { error: { name, args: jsonSafe(args) } }), data }
}

function jsonSafe(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // The replacer changes values only, so the result is a record again.
  return JSON.parse(
    JSON.stringify(args, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  ) as Record<string, unknown>
}

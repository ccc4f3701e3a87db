import { type Abi, decodeErrorResult, type Hex, isHex } from 'viem'
import { bridgeAdapterAbi } from '../../../contracts/generated/BridgeAdapter.ts'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { paymentSettlementAbi } from '../../../contracts/generated/PaymentSettlement.ts'

/** What a call answered when it reverted. */
export type Revert = {
  /** The words of the revert: its text, or the error's name with its values. */
  reason: string
  /** The custom error, decoded and JSON-safe. */
  error?: { name: string; args: Record<string, unknown> } | undefined
  /** The raw bytes. */
  data: Hex
}

/**
 * Finds the bytes that a reverted call left in what viem threw.
 *
 * @returns undefined when the node did not say that the call reverted: then it is the node that failed
 */
export function revertDataOf(error: unknown): Hex | undefined {
  let current: unknown = error
  let reverted = false
  for (let depth = 0; depth < 10 && typeof current === 'object' && current !== null; depth++) {
    const { data, code, message, cause } = current as Record<string, unknown> // read only, each is checked below
    if (isHex(data)) return data
    if (typeof data === 'object' && data !== null && 'data' in data && isHex(data.data)) return data.data
    if (code === 3 || (typeof message === 'string' && /execution reverted|out of ?gas/i.test(message)))
      reverted = true
    current = cause
  }
  return reverted ? '0x' : undefined
}

/** Puts the bytes of a revert into words. Knows our contracts' errors, `Error`, `Panic` and the usual token errors. */
export function decodeRevert(data: Hex): Revert {
  if (data === '0x') return { reason: 'reverted without a reason', data }
  for (const abi of [creditsAbi, bridgeAdapterAbi, paymentSettlementAbi, tokenErrors] as readonly Abi[]) {
    try {
      const { errorName, args, abiItem } = decodeErrorResult({ abi, data })
      if (errorName === 'Error') return { reason: String(args?.[0]), data }
      if (abiItem.type !== 'error') continue
      const named: Record<string, unknown> = {}
      for (const [index, input] of abiItem.inputs.entries())
        named[input.name ?? String(index)] = jsonSafe(args?.[index])
      const values = Object.entries(named).map(([name, value]) => `${name} ${String(value)}`)
      return {
        reason: values.length === 0 ? errorName : `${errorName}: ${values.join(', ')}`,
        error: { name: errorName, args: named },
        data,
      }
    } catch {
      // Not one of this list.
    }
  }
  return { reason: `unknown error ${data.slice(0, 10)}`, data }
}

const jsonSafe = (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

const tokenErrors = [
  {
    type: 'error',
    name: 'ERC20InsufficientAllowance',
    inputs: [
      { name: 'spender', type: 'address' },
      { name: 'allowance', type: 'uint256' },
      { name: 'needed', type: 'uint256' },
    ],
  },
  {
    type: 'error',
    name: 'ERC20InsufficientBalance',
    inputs: [
      { name: 'sender', type: 'address' },
      { name: 'balance', type: 'uint256' },
      { name: 'needed', type: 'uint256' },
    ],
  },
  { type: 'error', name: 'SafeERC20FailedOperation', inputs: [{ name: 'token', type: 'address' }] },
] as const

import type { Address, Hex } from 'viem'
import { formatAmount } from '../../core/amount/formatAmount.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { decodeValues } from '../../evm/revert/decodeValues.ts'
import { isTip20, tempoContracts, tempoTokenName } from '../network.ts'
import {
  type CallContext,
  creditsCalls,
  feeManagerCalls,
  type KnownCall,
  keychainCalls,
  type TempoMovement,
  tokenCalls,
} from './knownCalls.ts'

/** Description of a call, verb first: `pays 1.00 pathUSD to 0x…`. */
export type DescribedCall = {
  text: string
  movements: readonly TempoMovement[]
  /** Warnings for a call that was not requested. */
  findings: readonly Finding[]
}

/**
 * Says what one call of a transaction does: transfers, allowances, permits, mints and burns of tokens, access keys, and calls of
 * the credits contract. Other calls are described as unknown.
 */
export function describeTempoCall(
  call: { to?: Address | undefined; data: Hex },
  options: describeTempoCall.Options,
): DescribedCall {
  const { data, to } = call
  if (to === undefined) return { text: 'creates a contract', movements: [], findings: [] }
  const { account, chainId, creditsContract, index, now } = options
  const known = callsOf(to, creditsContract)[data.slice(0, 10).toLowerCase()]
  const values = known && read(known, data)
  if (known === undefined || values === undefined) return unknownCall(to, data, index)
  const context: CallContext = { account, chainId, contract: to, now }
  const { text, movements = [], warning, danger } = known.describe(values, context)
  const field = `calls.${index}`
  const stranger =
    (known.of === 'credits' && to !== creditsContract) || (known.of === 'token' && !isTip20(to))
  const kind = known.of === 'token' ? 'token' : 'credits contract'
  return {
    text: stranger ? `${text}, if ${to}, which is not an expected contract, is a ${kind}` : text,
    movements: stranger ? [] : movements.map((movement) => ({ call: index, contract: to, ...movement })),
    findings: [
      ...(warning === undefined
        ? []
        : [
            finding('warning', 'DELEGATE_APPROVAL', warning, {
              field,
              fix: 'Sign it only if you intend this.',
            }),
          ]),
      ...(danger === undefined
        ? []
        : [finding('danger', 'KEY_AUTHORIZATION', danger, { field, fix: 'Do not sign it.' })]),
      ...(stranger ? [notCompared(index, `The contract ${to} was compared with nothing.`)] : []),
    ],
  }
}

export declare namespace describeTempoCall {
  type Options = Omit<CallContext, 'contract'> & {
    /** Place of the call in the transaction. */
    index: number
    /** The credits contract that the caller trusts. */
    creditsContract?: Address | undefined
  }
}

/** The functions that a contract can have, by its address. */
function callsOf(to: Address, creditsContract: Address | undefined): Readonly<Record<string, KnownCall>> {
  if (to === tempoContracts.accountKeychain) return keychainCalls
  if (to === tempoContracts.feeManager) return feeManagerCalls
  if (to === creditsContract) return creditsCalls
  return isTip20(to) ? tokenCalls : { ...tokenCalls, ...creditsCalls }
}

function read(known: KnownCall, data: string): unknown[] | undefined {
  try {
    return decodeValues(known.parameters, data.slice(10))
  } catch {
    return undefined
  }
}

function unknownCall(to: Address, data: string, index: number): DescribedCall {
  const what =
    data === '0x'
      ? 'without data'
      : `with ${data.length < 10 ? data : data.slice(0, 10)}, an unknown function`
  return {
    text: `calls ${to} ${what}`,
    movements: [],
    findings: [notCompared(index, `What call ${index} of ${to} does is not supported.`)],
  }
}

function notCompared(index: number, message: string): Finding {
  return finding('warning', 'NOT_COMPARED', message, {
    field: `calls.${index}`,
    fix: 'Sign it only if you know from another source what it does.',
  })
}

/** Most calls that a summary lists one by one. */
const shownCalls = 4

/** Describes the calls of a transaction: the first ones one by one, the others by number and total outflow. */
export function tellCalls(calls: readonly DescribedCall[], chainId: number): string {
  const shown = calls.slice(0, shownCalls).map(({ text }) => text)
  const others = calls.slice(shownCalls)
  if (others.length === 0) return shown.join('; then ')
  const sums = sumsOf(
    others.flatMap(({ movements }) => movements),
    chainId,
  )
  const leaves = sums.length === 0 ? '' : `, by which ${sums.join(' and ')} leave it`
  return [...shown, `makes ${others.length} call${others.length === 1 ? '' : 's'} more${leaves}`].join(
    '; then ',
  )
}

/** What leaves the account, one sum for each token. */
function sumsOf(movements: readonly TempoMovement[], chainId: number): string[] {
  const sums = new Map<string, bigint>()
  for (const { amount, contract, direction, what } of movements) {
    if (direction !== 'out' || what === 'allowance') continue
    const name = what === 'credits' ? 'USD of credits' : tempoTokenName(contract, chainId)
    sums.set(name, (sums.get(name) ?? 0n) + amount)
  }
  return [...sums].map(([name, sum]) => `${formatAmount(sum, { decimals: 6, minimumPlaces: 2 })} ${name}`)
}

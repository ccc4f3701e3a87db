import type { Abi, Address, ContractFunctionName, EncodeFunctionDataParameters, Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { TransactionData } from '../../schema/transactionData.ts'
import { checkNonZeroAddress } from '../checkAddress.ts'
import { keepErrors } from '../revert/keptErrors.ts'
import { checkHex, checkKeys, checkRecord, InvalidHexError } from '../values.ts'
import { encodeFunctionData } from '../viem.ts'
import { type NativeValueError, refuseValue, settlementOf } from './settlementOf.ts'

/** The functions of an ABI that change state: any name if the ABI's type is unknown, none if all only read. */
export type CallableName<abi extends Abi | readonly unknown[]> = ContractFunctionName<abi> &
  (abi extends Abi
    ? Abi extends abi
      ? string
      : Extract<abi[number], { type: 'function'; stateMutability: 'nonpayable' | 'payable' }>['name']
    : string)

/** A call by function name, with arguments that the ABI types. */
export type TypedCall<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends CallableName<abi> = CallableName<abi>,
> = { to: Address } & CallArguments<abi, functionName>

/** Name and arguments of a function that changes state. viem's own type also accepts functions that only read. */
export type CallArguments<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends CallableName<abi> = CallableName<abi>,
> = EncodeFunctionDataParameters<abi, functionName> & { functionName?: CallableName<abi> }

/** A call by its bytes. */
export type RawCall = { to: Address; data: Hex }

/** Options of every builder besides the call. */
export type BuilderOptions = {
  /** Whether the UI waits for the transaction's hash. Nothing else depends on it. */
  waitForHash?: boolean | undefined
}

/**
 * Encodes a call, by name or by bytes, into the wire's `{ to, data }`.
 *
 * @throws {@link InvalidCallError} when arguments do not fit the ABI, or the function only reads; {@link NativeValueError} for a `value`;
 * InvalidAddressError, InvalidHexError
 */
export function encodeCall(call: RawCall | TypedCall, dataField = 'data'): { to: Address; data: Hex } {
  const record = checkRecord(call, 'call')
  refuseValue(record.value, 'value')
  const to = checkNonZeroAddress(record.to, 'to')
  const { abi, functionName, args } = record
  if (abi === undefined) {
    if (functionName !== undefined || args !== undefined)
      throw new InvalidCallError('A function name or arguments without an ABI cannot be encoded.', {
        field: 'abi',
        fix: `Pass abi, functionName and args together, or ${dataField} alone.`,
      })
    return { to, data: checkCallData(record.data, dataField) }
  }
  if (record.data !== undefined)
    throw new InvalidCallError('The call has both a function name and call data.', {
      field: dataField,
      fix: `Pass abi, functionName and args, or ${dataField}, not both.`,
    })
  if (!Array.isArray(abi))
    throw new InvalidCallError(`${showValue(abi)} is not an ABI.`, {
      field: 'abi',
      fix: 'Pass a list of ABI items: the `abi` of a compiler’s output, or the result of viem’s parseAbi.',
    })
  checkName(abi, functionName)
  checkChanges(abi, functionName)
  checkArguments(args, 'args')
  return { to, data: encode(abi, functionName, args) }
}

/** Checks call data: whole bytes, and either none or at least a selector. */
export function checkCallData(data: unknown, field: string): Hex {
  const checked = checkHex(data, field)
  if (checked.length > 2 && checked.length < 10)
    throw new InvalidHexError(`${checked} is shorter than a function selector.`, {
      field,
      fix: 'Pass a selector of 4 bytes and the encoded arguments.',
    })
  return checked
}

/** Refuses an unknown function and an ABI of strings. */
function checkName(abi: readonly unknown[], functionName: unknown): void {
  if (typeof abi[0] === 'string')
    throw new InvalidCallError('The ABI is a list of strings.', {
      field: 'abi',
      fix: 'Convert it with viem’s parseAbi.',
    })
  const names = [
    ...new Set(abi.map(Object).flatMap(({ type, name }) => (type === 'function' ? [`${name}`] : []))),
  ]
  // viem also accepts a selector as the name
  const text = `${functionName}`
  if (functionName === undefined || text.startsWith('0x') || names.includes(text)) return
  throw new InvalidCallError(`The ABI has no function ${showValue(functionName)}.`, {
    field: 'functionName',
    fix:
      names.length === 0
        ? 'Pass the ABI of the contract that is called.'
        : `It has ${names.join(', ').slice(0, 300)}.`,
  })
}

/** Rejects a function that only reads: paying for it would buy nothing. A payable function is called without native coin. */
function checkChanges(abi: readonly unknown[], functionName: unknown): void {
  const named = abi
    .map(Object)
    .filter(({ type, name }) => type === 'function' && (functionName ?? name) === name)
  if (named.length === 0 || !named.every(({ stateMutability }) => /view|pure/.test(stateMutability))) return
  throw new InvalidCallError(
    `Function ${showValue(functionName)} only reads: it is "view" or "pure" in the ABI.`,
    {
      field: 'functionName',
      fix: 'Pass the function that sells or mints as `functionName`. Call view functions with a public client.',
    },
  )
}

function encode(abi: readonly unknown[], functionName: unknown, args: unknown): Hex {
  try {
    // viem checks the rest against the ABI, and throws
    return encodeFunctionData({ abi, functionName, args } as EncodeFunctionDataParameters)
  } catch (cause) {
    throw new InvalidCallError(
      `Function ${showValue(functionName)} cannot be encoded with these arguments.`,
      {
        field: 'args',
        fix: 'Compare functionName and args with the ABI.',
        cause,
      },
    )
  }
}

/** Refuses numbers that a double cannot hold exactly: they would be encoded as other numbers. */
function checkArguments(value: unknown, field: string, depth = 0): void {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new InvalidCallError(`${value} is not a safe integer.`, {
      field,
      fix: 'Pass integers as bigint.',
    })
  if (typeof value !== 'object' || value === null || depth > 16) return
  for (const [key, item] of Object.entries(value))
    checkArguments(item, `${field}.${key}`.slice(0, 120), depth + 1)
}

/** A call whose name or arguments do not fit its ABI. */
export class InvalidCallError extends BaseError {
  override readonly name = 'InvalidCallError'
}

/**
 * Adds the options to a built record, and checks the result as the service will. Keeps the errors of the call's ABI in memory, for
 * `decodeRevert`.
 */
export function finish<record extends TransactionData>(
  record: record,
  options: BuilderOptions,
  call: object = {},
): record {
  checkKeys(options, 'options', { required: [], optional: ['waitForHash'] })
  const finished =
    options.waitForHash === undefined ? record : { ...record, waitForHash: options.waitForHash }
  settlementOf(finished)
  if ('abi' in call && Array.isArray(call.abi)) keepErrors(finished, call.abi)
  return finished
}

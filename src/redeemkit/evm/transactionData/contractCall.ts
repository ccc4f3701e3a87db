import type { Abi, Address, ContractFunctionName, EncodeFunctionDataParameters, Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { TransactionData } from '../../schema/transactionData.ts'
import { checkNonZeroAddress } from '../checkAddress.ts'
import { checkHex, checkKeys, checkRecord, InvalidHexError } from '../values.ts'
import { encodeFunctionData } from '../viem.ts'
import { refuseValue, settlementOf } from './settlementOf.ts'

/** Names of the functions of an ABI that are not view or pure. If the ABI's type is unknown, any name. */
export type CallableName<abi extends Abi | readonly unknown[]> = ContractFunctionName<abi> &
  (abi extends Abi
    ? Abi extends abi
      ? string
      : Extract<abi[number], { type: 'function'; stateMutability: 'nonpayable' | 'payable' }>['name']
    : string)

/** A call by function name, whose arguments have the ABI's types. */
export type TypedCall<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends CallableName<abi> = CallableName<abi>,
> = { to: Address } & CallArguments<abi, functionName>

/** Name and arguments of a function that is not view or pure. viem's own type also accepts view and pure functions. */
export type CallArguments<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends CallableName<abi> = CallableName<abi>,
> = EncodeFunctionDataParameters<abi, functionName> & { functionName?: CallableName<abi> }

/** A call as an address and call data. */
export type RawCall = { to: Address; data: Hex }

/** Options that every builder has. */
export type BuilderOptions = {
  /** Tells the service that the page waits for the transaction's hash. It has no other effect. */
  waitForHash?: boolean | undefined
}

/** Encodes a call from a function name with arguments, or from call data. */
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

/** Checks call data: empty, or at least the 4 bytes of a selector. */
export function checkCallData(data: unknown, field: string): Hex {
  const checked = checkHex(data, field)
  if (checked.length > 2 && checked.length < 10)
    throw new InvalidHexError(`${checked} is shorter than a function selector.`, {
      field,
      fix: 'Pass a selector of 4 bytes and the encoded arguments.',
    })
  return checked
}

function checkName(abi: readonly unknown[], functionName: unknown): void {
  if (typeof abi[0] === 'string')
    throw new InvalidCallError('The ABI is a list of strings.', {
      field: 'abi',
      fix: 'Convert it with viem’s parseAbi.',
    })
  const names = [
    ...new Set(abi.map(Object).flatMap(({ type, name }) => (type === 'function' ? [`${name}`] : []))),
  ]
  // viem also accepts a selector in place of the name
  const text = `${functionName}`
  if (functionName === undefined || text.startsWith('0x') || names.includes(text)) return
  throw new InvalidCallError(`The ABI has no function ${showValue(functionName)}.`, {
    field: 'functionName',
    fix:
      names.length === 0
        ? 'Pass the ABI of the contract that is called.'
        : `The ABI has ${names.join(', ').slice(0, 300)}.`,
  })
}

/** Refuses a view or pure function, because paying for it would buy nothing. A payable function is accepted and gets no native coin. */
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
    // viem checks the arguments against the ABI, and throws
    return encodeFunctionData({ abi, functionName, args } as EncodeFunctionDataParameters)
  } catch (cause) {
    throw new InvalidCallError(
      `Function ${showValue(functionName)} cannot be encoded with these arguments.`,
      { field: 'args', fix: 'Compare functionName and args with the ABI.', cause },
    )
  }
}

/** Refuses numbers above 2^53 - 1, because JavaScript may already have rounded them. */
function checkArguments(value: unknown, field: string, depth = 0): void {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new InvalidCallError(`${value} is not a safe integer.`, { field, fix: 'Pass integers as bigint.' })
  if (typeof value !== 'object' || value === null || depth > 16) return
  for (const [key, item] of Object.entries(value))
    checkArguments(item, `${field}.${key}`.slice(0, 120), depth + 1)
}

/** The function name or the arguments of a call do not match the ABI. */
export class InvalidCallError extends BaseError {
  override readonly name = 'InvalidCallError'
}

/** Checks a record as the service will, and remembers the call's ABI for `decodeRevert`. */
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

const kept = new WeakMap<object, readonly unknown[]>()

/** Remembers the ABI that a record was built with, so that `decodeRevert` knows its errors. The ABI is never part of the record itself. */
export function keepErrors(record: object, abi: readonly unknown[] | undefined): void {
  if (abi !== undefined) kept.set(record, abi)
}

/** Returns the remembered ABI of a record; an empty list for any other object, even a copy. */
export function keptErrors(record: object): readonly unknown[] {
  return kept.get(record) ?? []
}

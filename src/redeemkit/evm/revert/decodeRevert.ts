import type { Hex } from 'viem'
import { attempt } from '../../core/attempt.ts'
import { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { keptErrors } from '../transactionData/contractCall.ts'
import { checkHex, checkRecord, type InvalidHexError } from '../values.ts'
import { hexToBytes, keccak256, stringToBytes } from '../viem.ts'
import { contractErrors } from './contractErrors.ts'
import { type AbiParameter, decodeValues } from './decodeValues.ts'

/** The decoded reason of a reverted call. */
export type DecodedRevert = {
  /** `Error`, `Panic`, or the name of a custom error; `undefined` if no given ABI has its selector. */
  name: string | undefined
  /** The error's arguments by name, or by position if unnamed. The contract chose them, so quote their texts when you show them. */
  args: Readonly<Record<string, unknown>>
  /** One line to show; control characters are removed. */
  reason: string
  /** The reason of the inner call that failed, if the credits contract forwards it (`CallFailed`). */
  inner?: DecodedRevert | undefined
  data: Hex
}

/**
 * Decodes why a call reverted from its revert data. Knows `Error(string)`, `Panic(uint256)`, the errors of the credits contract
 * and its bridge adapter, and the custom errors of the given ABI.
 *
 * @param options.data the revert data, such as `revertData` of a service's `SIMULATION_FAILED`
 * @param options.abi the ABI of the called contract. Not needed if you pass a `transactionData` that a builder made from that ABI.
 * @returns a reason in every case, even for an unknown selector
 * @throws InvalidHexError for `data` that is not hex bytes; InvalidRecordError for an `abi` that is not a list
 * @see PROTOCOL.md 7.1
 * @example
 * ```ts
 * import { decodeRevert } from 'redeemkit/evm'
 * import { parseAbi } from 'viem'
 * decodeRevert({ data: '0x52df9fe5', abi: parseAbi(['error SoldOut()']) }).name // 'SoldOut'
 * ```
 */
export function decodeRevert(options: decodeRevert.Options): decodeRevert.ReturnType {
  checkRecord(options, 'options')
  const { abi = [], transactionData } = options
  const data = checkHex(options.data, 'data')
  if (!Array.isArray(abi))
    throw new InvalidRecordError(`${showValue(abi)} is not an ABI.`, {
      field: 'abi',
      fix: 'Pass a list of ABI items.',
    })
  return decode(data, [...abi, ...(transactionData === undefined ? [] : keptErrors(transactionData))], 2)
}

export declare namespace decodeRevert {
  type Options = {
    data: Hex
    abi?: readonly unknown[] | undefined
    /** The object that a builder (`normal`, `safeMint`, …) returned, not a copy: redeemkit remembers the ABI that it was built with. */
    transactionData?: object | undefined
  }
  type ReturnType = DecodedRevert
  type ErrorType = InvalidHexError | InvalidRecordError
}

function decode(data: Hex, abi: readonly unknown[], deeper: number): DecodedRevert {
  if (data === '0x') return { name: undefined, args: {}, reason: 'it reverted without a reason', data }
  const selector = data.slice(0, 10).toLowerCase()
  for (const { name, inputs } of errorsOf(abi, selector)) {
    const values = attempt(() => decodeValues(inputs, data.slice(10)))
    if (values === undefined) continue // the data belongs to another error with this selector, or is truncated
    const args = Object.fromEntries(inputs.map((input, index) => [input.name || `${index}`, values[index]]))
    const inner =
      name === 'CallFailed' && deeper > 0 && inputs[1]?.type === 'bytes'
        ? decode(values[1] as Hex, abi, deeper - 1) // `bytes` is decoded to 0x-hex
        : undefined
    return { name, args, reason: describe(name, args, inner), ...(inner && { inner }), data }
  }
  const cut = truncatedText(data)
  if (cut !== undefined) return { name: 'Error', args: { reason: cut }, reason: oneLine(cut), data }
  return {
    name: undefined,
    args: {},
    reason:
      data.length < 10
        ? `it reverted with ${data}, which is not a Solidity error`
        : `it reverted with an unknown error (selector ${selector})`,
    data,
  }
}

/** Decodes the start of a truncated `Error(string)`, because the credits contract forwards only the first 1024 bytes of revert data. */
function truncatedText(data: Hex): string | undefined {
  const [, text] = /0x08c379a00{62}20[0-9a-f]{64}((?:[0-9a-f]{2}){32,})/i.exec(data) ?? []
  return text && new TextDecoder().decode(hexToBytes(`0x${text}`))
}

function describe(
  name: string,
  args: Readonly<Record<string, unknown>>,
  inner: DecodedRevert | undefined,
): string {
  if (name === 'Error') return oneLine(String(args.reason))
  if (name === 'Panic') return `panic ${args.code}: ${panics[Number(args.code)] ?? 'an unknown code'}`
  const values = Object.entries(args).map(([key, value]) =>
    inner !== undefined && key === 'reason'
      ? `because ${inner.name === 'Error' ? JSON.stringify(inner.reason) : inner.reason}`
      : `${key} ${show(value)}`,
  )
  return oneLine(values.length === 0 ? name : `${name}: ${values.join(', ')}`)
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  return typeof value === 'string' && !value.startsWith('0x') ? JSON.stringify(value) : String(value)
}

/** Removes characters that move the cursor, break the line or reverse the reading direction. */
const oneLine = (text: string) =>
  text.replace(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500)

type ErrorItem = { name: string; inputs: readonly AbiParameter[] }

/** Yields the errors that match a selector: first the errors of the caller's ABI, then the known errors. */
function* errorsOf(abi: readonly unknown[], selector: string): Generator<ErrorItem> {
  // ABI items as Solidity compilers and viem's parseAbi write them
  for (const item of abi) {
    const { type, name, inputs = [] } = Object(item)
    if (type === 'error' && selectorOf(name, inputs) === selector) yield { name, inputs }
  }
  bySelector ??= new Map(
    [...solidityErrors, ...contractErrors]
      .map(readKnown)
      .map((error) => [selectorOf(error.name, error.inputs), error]),
  )
  const known = bySelector.get(selector)
  if (known !== undefined) yield known
}

const solidityErrors = ['Error(string reason)', 'Panic(uint256 code)']

let bySelector: Map<string, ErrorItem> | undefined

function readKnown(text: string): ErrorItem {
  const [, name = '', list = ''] = /(\w+)\((.*)\)/.exec(text) ?? []
  const inputs = list === '' ? [] : list.split(',').map((input) => input.split(' '))
  return { name, inputs: inputs.map(([type = '', label]) => ({ type, name: label })) }
}

function selectorOf(name: string, inputs: readonly AbiParameter[]): string {
  return keccak256(stringToBytes(`${name}(${inputs.map(canonical)})`)).slice(0, 10)
}

/** Returns a type as it is written in a function signature: a tuple as the list of its fields' types. */
function canonical({ type, components = [] }: AbiParameter): string {
  return type.startsWith('tuple') ? `(${components.map(canonical)})${type.slice(5)}` : type
}

/** Meanings of `Panic` codes, from Solidity's documentation. */
const panics: Readonly<Record<number, string>> = {
  1: 'an assertion failed',
  17: 'arithmetic overflow or underflow',
  18: 'division by zero',
  33: 'a number outside of the enum',
  34: 'incorrectly encoded storage',
  49: 'pop of an empty array',
  50: 'an array index out of bounds',
  65: 'too much memory allocated',
  81: 'a call of an uninitialized function variable',
}

/** The fields in which nodes and libraries put revert data. Each holds the bytes, or another object to search. */
const places = ['data', 'result', 'return', 'originalError', 'error', 'info', 'cause', 'body']
const bytes = /^(?:reverted )?(0x(?:[0-9a-f]{2})*)$/i
const inText = /\breverted (0x(?:[0-9a-f]{2}){4,})/i
const mostPlaces = 64

/**
 * Finds revert data in a node's error. Searches `data` (geth, Erigon, Anvil, Alchemy), the text after "Reverted" in `data` or
 * `message` (Nethermind, OpenEthereum), `data.data` (Hardhat), `data.result` or a field named by the transaction hash (Ganache),
 * `originalError` (wallets), and the errors in which viem and ethers wrap these.
 *
 * @returns `0x` for an error without revert data; `undefined` if it has no field for revert data
 */
export function revertDataOf(error: unknown): Hex | undefined {
  let empty: Hex | undefined
  const queue: unknown[] = [error]
  try {
    for (let at = 0; at < queue.length && at < mostPlaces; at++) {
      const place = queue[at]
      if (typeof place === 'string') {
        const [, found] = bytes.exec(place) ?? []
        // the pattern begins with 0x
        if (found === '0x') empty = found
        else if (found !== undefined) return found as Hex
      } else if (typeof place === 'object' && place !== null) {
        const record = place as Record<string, unknown> // only read; each value is checked before it is used
        const [, found] = inText.exec(String(record.message)) ?? []
        if (found !== undefined) return found as Hex
        queue.push(...placesOf(record))
      }
    }
  } catch {
    // Reading the error threw.
  }
  return empty
}

function placesOf(record: Record<string, unknown>): unknown[] {
  return places
    .flatMap((key) => {
      const value = record[key]
      // a `body` that is text belongs to the response; an object belongs to the request and is ignored
      if (key === 'body') return typeof value === 'string' ? [attempt(() => JSON.parse(value))] : []
      return [value]
    })
    .concat(Object.keys(record).flatMap((key) => (/^0x[0-9a-f]{64}$/i.test(key) ? [record[key]] : [])))
}

import { type Abi, type AbiEvent, type Hex, toFunctionSignature } from 'viem'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { showText } from '../../../redeemkit/core/errors/showValue.ts'
import { type DecodedRevert, decodeRevert } from '../../../redeemkit/evm/revert/decodeRevert.ts'
import { type AbiParameter, decodeValues } from '../../../redeemkit/evm/revert/decodeValues.ts'
import type { CallFrame } from '../redeemReport.ts'
import { reverted } from '../trace/frames.ts'
import { type AbiError, type AbiIndex, abiIndex } from './abiIndex.ts'
import type { AbisOf } from './buildAbis.ts'

export type DescribedCall = {
  name: string
  signature: string
  /** `undefined` if the bytes after the selector do not decode. */
  args: readonly DescribedValue[] | undefined
  text: string
}

/** If two functions share a selector, the function whose arguments decode is used. Given ABIs precede the known ones. */
export function describeCall(data: Hex, abis = noAbis): DescribedCall | undefined {
  const selector = data.slice(0, 10).toLowerCase() as Hex
  const candidates = selector.length < 10 ? [] : (abiIndex(abis).functions.get(selector) ?? [])
  for (const item of candidates) {
    const args = describeValues(item.inputs, data.slice(10))
    if (args !== undefined)
      return {
        name: item.name,
        signature: toFunctionSignature(item),
        args,
        text: `${item.name}(${valuesText(args)})`,
      }
  }
  const [first] = candidates
  if (first === undefined) return undefined
  const signature = toFunctionSignature(first)
  const text = `${signature} with arguments that do not decode`
  return { name: first.name, signature, args: undefined, text }
}

/** One shared object, because `abiIndex` caches its index by list object. */
const noAbis: readonly Abi[] = []

/** Returns one line, `Transfer(address from = 0x…, …, uint256 tokenId = 1)`. Indexed strings and arrays are only hashes. */
export function describeLog(log: { topics: readonly Hex[]; data: Hex }, abis = noAbis): string | undefined {
  const [first, ...topics] = log.topics
  if (first === undefined) return undefined
  const candidates = abiIndex(abis).events.get(first.toLowerCase() as Hex) ?? []
  for (const item of candidates) {
    const args = argsOf(item, topics, log.data)
    if (args !== undefined) return `${item.name}(${valuesText(args)})`
  }
  return undefined
}

function argsOf(item: AbiEvent, topics: readonly Hex[], data: Hex): DescribedValue[] | undefined {
  const rest = describeValues(
    item.inputs.filter(({ indexed }) => indexed !== true),
    data.slice(2),
    whole,
  )
  if (rest === undefined || item.inputs.filter(({ indexed }) => indexed).length !== topics.length)
    return undefined
  const left = [...topics]
  const args: DescribedValue[] = []
  for (const input of item.inputs) {
    const value = input.indexed ? topicValue(input, left.shift() ?? '0x') : rest.shift()
    if (value === undefined) return undefined
    args.push(value)
  }
  return args
}

function topicValue(input: AbiEvent['inputs'][number], topic: Hex): DescribedValue | undefined {
  if (/^(string|bytes|tuple)$|\]$/.test(input.type)) {
    const { name, text } = describeValue({ ...input, type: 'bytes32' }, topic, whole)
    return { name, type: input.type, value: topic, text: `hash ${text}` }
  }
  return describeValues([input], topic.slice(2), whole)?.[0]
}

/** If two errors share a selector, the error whose values decode is used. */
export function describeRevert(data: Hex, abis = noAbis): DecodedRevert {
  const { errors } = abiIndex(abis)
  // Only errors with a matching selector: a build folder contains thousands, and each costs a hash.
  const meant: AbiError[] = []
  for (let bytes: Hex | undefined = data; bytes !== undefined; ) {
    const found = errors.get(bytes.slice(0, 10).toLowerCase() as Hex) ?? []
    meant.push(...found)
    const decoded: DecodedRevert = decodeRevert({ data: bytes, abi: meant })
    bytes = bytes === data ? decoded.inner?.data : undefined
  }
  return named(decodeRevert({ data, abi: meant }), errors)
}

/** Names an error by its selector alone if its values are cut or missing. */
function named(decoded: DecodedRevert, errors: AbiIndex['errors']): DecodedRevert {
  const { name, data, inner, reason } = decoded
  if (inner !== undefined) {
    const known = named(inner, errors)
    return { ...decoded, inner: known, reason: reason.replace(inner.reason, () => known.reason) }
  }
  const [error] = name === undefined ? (errors.get(data.slice(0, 10).toLowerCase() as Hex) ?? []) : []
  if (error === undefined) return decoded
  const values = data.length === 10 ? 'without its values' : 'with truncated or invalid values'
  return {
    ...decoded,
    name: error.name,
    reason: `${toFunctionSignature({ ...error, type: 'function', outputs: [], stateMutability: 'view' })} ${values}`,
  }
}

/**
 * @param known the reason of the call in which the failure began, if it is known
 */
export function describeTree(
  frame: CallFrame,
  abisOf: AbisOf,
  known?: { at: readonly number[]; reason: string },
): CallFrame {
  const [next, ...at] = known?.at ?? []
  const abis = abisOf(frame)
  return {
    ...frame,
    text: describeCall(frame.input, abis)?.text,
    failure:
      known !== undefined && next === undefined
        ? known.reason
        : frame.failure === reverted
          ? revertReason(frame, abis)
          : frame.failure,
    logs: frame.logs.map((log) => ({ ...log, text: describeLog(log, abis) })),
    calls: frame.calls.map((call, place) =>
      known !== undefined && place === next
        ? describeTree(call, abisOf, { ...known, at })
        : describeTree(call, abisOf),
    ),
  }
}

const revertReason = ({ output }: CallFrame, abis: readonly Abi[]) =>
  output === '0x' ? 'it reverted without a reason' : describeRevert(output, abis).reason

type DescribedValue = {
  /** Empty if the ABI has no name. */
  name: string
  type: string
  value: unknown
  /** One line, with strings in quotes. Long bytes, strings and lists of a call are shortened. */
  text: string
}

function describeValues(
  parameters: readonly AbiParameter[],
  digits: string,
  most = shortened,
): DescribedValue[] | undefined {
  return attempt(() => {
    const values = decodeValues(parameters, digits)
    return parameters.map((parameter, place) => describeValue(parameter, values[place], most))
  })
}

type Most = { items: number; characters: number; bytes: number }
const shortened: Most = { items: 8, characters: 100, bytes: 32 }
const whole: Most = { items: Infinity, characters: Infinity, bytes: Infinity }

function describeValue(parameter: AbiParameter, value: unknown, most: Most): DescribedValue {
  return { name: nameOf(parameter), type: parameter.type, value, text: textOf(parameter, value, most) }
}

function valuesText(values: readonly DescribedValue[]): string {
  return values
    .map(({ name, type, text }) => {
      const shown = type.startsWith('tuple') ? type.slice('tuple'.length) : type
      const head = [shown, name].filter((part) => part !== '').join(' ')
      return head === '' ? text : `${head} = ${text}`
    })
    .join(', ')
}

function bytesText(bytes: Hex, most: number): string {
  const length = (bytes.length - 2) / 2
  return length <= most ? bytes : `${bytes.slice(0, 10)}… (${length} bytes)`
}

function textOf(parameter: AbiParameter, value: unknown, most: Most): string {
  const [, item] = /^(.*)\[\d*\]$/.exec(parameter.type) ?? []
  if (item !== undefined && Array.isArray(value)) {
    const shown = value.slice(0, most.items).map((one) => textOf({ ...parameter, type: item }, one, most))
    if (value.length > most.items) shown.push(`… ${value.length - most.items} more`)
    return `[${shown.join(', ')}]`
  }
  if (parameter.type === 'tuple' && Array.isArray(value)) {
    const fields = (parameter.components ?? []).map((field, place) => {
      const text = textOf(field, value[place], most)
      return nameOf(field) === '' ? text : `${nameOf(field)} = ${text}`
    })
    return `{ ${fields.join(', ')} }`
  }
  if (parameter.type === 'string') return showText(String(value), most.characters)
  // `decodeValues` returns bytes as 0x-hex
  return parameter.type === 'bytes' ? bytesText(value as Hex, most.bytes) : String(value)
}

/** Returns an empty text for an invalid name: an ABI file may contain anything. */
const nameOf = ({ name = '' }: AbiParameter) => (/^[\w$]{1,80}$/.test(name) ? name : '')

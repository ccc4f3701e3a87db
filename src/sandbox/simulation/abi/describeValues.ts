import type { Hex } from 'viem'
import { showText } from '../../../redeemkit/core/errors/showText.ts'
import { type AbiParameter, decodeValues } from '../../../redeemkit/evm/revert/decodeValues.ts'

/** One argument, decoded. */
export type DescribedValue = {
  /** Empty where the ABI has none. */
  name: string
  /** As the ABI has it; the values of a `tuple` are a list. */
  type: string
  value: unknown
  /** For a person: on one line, texts quoted, long bytes cut. */
  text: string
}

/** @returns `undefined` when the bytes are not exactly such values */
export function describeValues(
  parameters: readonly AbiParameter[],
  digits: string,
): DescribedValue[] | undefined {
  try {
    const values = decodeValues(parameters, digits)
    return parameters.map((parameter, place) => describeValue(parameter, values[place]))
  } catch {
    // decodeValues ends at the first byte that does not fit
    return undefined
  }
}

export function describeValue(parameter: AbiParameter, value: unknown): DescribedValue {
  return { name: nameOf(parameter), type: parameter.type, value, text: textOf(parameter, value) }
}

/** `address receiver = 0x…, uint256 price = 10000000` */
export function valuesText(values: readonly DescribedValue[]): string {
  return values
    .map(({ name, type, text }) => {
      const shown = type.startsWith('tuple') ? type.slice('tuple'.length) : type
      const head = [shown, name].filter((part) => part !== '').join(' ')
      return head === '' ? text : `${head} = ${text}`
    })
    .join(', ')
}

/** Bytes of a call or a log: the first four and how many there are. */
function shortBytes(bytes: Hex): string {
  return bytes.length <= 66 ? bytes : `${bytes.slice(0, 10)}… (${(bytes.length - 2) / 2} bytes)`
}

function textOf(parameter: AbiParameter, value: unknown): string {
  const [, item] = /^(.*)\[\d*\]$/.exec(parameter.type) ?? []
  if (item !== undefined && Array.isArray(value)) {
    const shown = value.slice(0, mostItems).map((one) => textOf({ ...parameter, type: item }, one))
    if (value.length > mostItems) shown.push(`… ${value.length - mostItems} more`)
    return `[${shown.join(', ')}]`
  }
  if (parameter.type === 'tuple' && Array.isArray(value)) {
    const fields = (parameter.components ?? []).map((field, place) => {
      const text = textOf(field, value[place])
      return nameOf(field) === '' ? text : `${nameOf(field)} = ${text}`
    })
    return `{ ${fields.join(', ')} }`
  }
  if (parameter.type === 'string') return showText(String(value), 100)
  // decodeValues writes bytes as 0x-hex
  return parameter.type === 'bytes' ? shortBytes(value as Hex) : String(value)
}

/** A file may hold anything as a name. */
const nameOf = ({ name = '' }: AbiParameter) => (/^[\w$]{1,80}$/.test(name) ? name : '')

const mostItems = 8

import type { AbiFunction, AbiParameter, Hex } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { parseJson } from '../../../redeemkit/core/parseJson.ts'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { isHex } from '../../../redeemkit/evm/values.ts'

/**
 * Reads each argument from one word: addresses or test account names, decimal whole numbers, `true` and `false`, text, hex, and JSON for
 * arrays and tuples. Never rounds, truncates or pads.
 */
export function readArguments(
  called: AbiFunction,
  texts: readonly string[],
  options: readArguments.Options,
): readonly unknown[] {
  const { inputs, name } = called
  if (texts.length !== inputs.length)
    throw new InvalidArgumentsError(
      `${name}(${inputs.map(typeOf).join(',')}) takes ${counted(inputs.length, 'argument')}, but got ${texts.length}.`,
      {
        field: options.field,
        fix: 'Pass each argument as one word, in quotes if it contains spaces. Pass arrays and tuples as JSON.',
      },
    )
  return texts.map((text, index) => {
    const input = inputs[index] as AbiParameter
    const place = { ...options, at: `${options.field} ${index + 1}${input.name ? `, ${input.name}` : ''}` }
    return readValue(isComposed(input) ? fromJson(text, input, place) : text, input, place)
  })
}

export declare namespace readArguments {
  type Options = { accounts: Readonly<Record<string, Hex>>; field: string }
}

type Place = readArguments.Options & { at: string }

const isComposed = ({ type }: AbiParameter) => type.endsWith(']') || type === 'tuple'

/** Returns the type as used in selectors, with structs as tuples. */
function typeOf(parameter: AbiParameter): string {
  if (!('components' in parameter)) return parameter.type
  return parameter.type.replace('tuple', `(${parameter.components.map(typeOf).join(',')})`)
}

function fromJson(text: string, parameter: AbiParameter, place: Place): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    const what = cause instanceof BaseError ? cause.shortMessage : 'The text is not JSON.'
    throw unfit(text, parameter, place, {
      fix: `${what} Write it as JSON, with numbers above 2^53 in quotes, such as '["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "10000000"]'.`,
      cause,
    })
  }
}

function readValue(value: unknown, parameter: AbiParameter, place: Place): unknown {
  const { type } = parameter
  const [, item, count] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (item !== undefined) return readList(value, { ...parameter, type: item }, { parameter, count, place })
  if (type === 'tuple') return readTuple(value, parameter, place)
  const text = typeof value === 'number' ? String(value) : value
  if (type === 'address') return readAddress(text, parameter, place)
  if (/^u?int/.test(type)) return readInteger(text, parameter, place)
  if (type === 'bool') {
    if (value === true || value === 'true') return true
    if (value === false || value === 'false') return false
    throw unfit(value, parameter, place, { fix: 'Write true or false.' })
  }
  if (type === 'string') {
    if (typeof value === 'string') return value
    throw unfit(value, parameter, place, { fix: 'Pass text.' })
  }
  if (type.startsWith('bytes')) return readBytes(text, parameter, place)
  throw unfit(value, parameter, place, {
    fix: `Values of type ${type} are not supported here. Encode the call yourself and pass it as --data.`,
  })
}

function readList(
  value: unknown,
  item: AbiParameter,
  { parameter, count, place }: { parameter: AbiParameter; count: string | undefined; place: Place },
): unknown[] {
  if (!Array.isArray(value))
    throw unfit(value, parameter, place, { fix: 'Write an array as JSON, such as \'["1", "2"]\'.' })
  if (count !== undefined && count !== '' && value.length !== Number(count))
    throw unfit(value, parameter, place, { fix: `Pass exactly ${counted(Number(count), 'value')}.` })
  return value.map((one, index) => readValue(one, item, { ...place, at: `${place.at}[${index}]` }))
}

/** Reads an array in component order, or an object with component names. */
function readTuple(value: unknown, parameter: AbiParameter, place: Place): unknown {
  const components = 'components' in parameter ? parameter.components : []
  const names = components.map(({ name }, index) => name || String(index))
  const isNamed = components.length > 0 && components.every(({ name }) => name)
  const shape = isNamed ? `{${names.map((name) => `"${name}": …`).join(', ')}} or ` : ''
  const problem = unfit(value, parameter, place, {
    fix: `Write it as JSON: ${shape}an array of ${counted(components.length, 'value')}.`,
  })
  if (typeof value !== 'object' || value === null) throw problem
  if (!Array.isArray(value) && !isNamed) throw problem
  const given: Readonly<Record<string, unknown>> = Array.isArray(value)
    ? Object.fromEntries(value.map((one, index) => [names[index] ?? `${index}`, one]))
    : { ...value }
  if (Object.keys(given).length !== names.length || !names.every((name) => Object.hasOwn(given, name)))
    throw problem
  const read = components.map((component, index): [string, unknown] => {
    const name = names[index] ?? ''
    return [name, readValue(given[name], component, { ...place, at: `${place.at}.${name}` })]
  })
  return isNamed ? Object.fromEntries(read) : read.map(([, one]) => one)
}

function readAddress(value: unknown, parameter: AbiParameter, place: Place): Hex {
  const { accounts } = place
  if (typeof value === 'string' && Object.hasOwn(accounts, value)) return accounts[value] as Hex
  try {
    return checkAddress(value, place.at)
  } catch (cause) {
    const fix = cause instanceof BaseError ? cause.fix : undefined
    const names = Object.keys(accounts)
    throw unfit(value, parameter, place, {
      fix: `${fix}${names.length === 0 ? '' : ` Or pass one of ${names.join(', ')}.`}`,
      cause,
    })
  }
}

function readInteger(value: unknown, parameter: AbiParameter, place: Place): bigint {
  const { type } = parameter
  if (typeof value !== 'string' || !/^-?(0|[1-9]\d*)$/.test(value))
    throw unfit(value, parameter, place, {
      fix: 'Write a whole number in decimal digits. Amounts are raw units: 10.00 USDC is 10000000.',
    })
  const number = BigInt(value)
  const bits = BigInt(type.replace(/^u?int/, '') || '256')
  const [least, most] = type.startsWith('u')
    ? [0n, (1n << bits) - 1n]
    : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n]
  if (number < least || number > most)
    throw unfit(value, parameter, place, {
      fix: bits > 64n ? `It must fit in ${bits} bits.` : `It must be from ${least} to ${most}.`,
    })
  return number
}

function readBytes(value: unknown, parameter: AbiParameter, place: Place): Hex {
  const size = parameter.type.slice('bytes'.length)
  if (!isHex(value, size === '' ? undefined : Number(size)))
    throw unfit(value, parameter, place, {
      fix: `Write 0x and ${size === '' ? 'two hexadecimal digits for each byte' : `${2 * Number(size)} hexadecimal digits`}.`,
    })
  return value
}

function unfit(
  value: unknown,
  parameter: AbiParameter,
  { at }: Place,
  { fix, cause }: { fix: string; cause?: unknown },
): InvalidArgumentsError {
  return new InvalidArgumentsError(`${showValue(value, 120)} is not a valid ${typeOf(parameter)}.`, {
    field: at,
    fix,
    cause,
  })
}

export class InvalidArgumentsError extends BaseError {
  override readonly name = 'InvalidArgumentsError'
}

function counted(count: number, what: string): string {
  return `${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`
}

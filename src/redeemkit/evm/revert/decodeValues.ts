import { checkAddress } from '../checkAddress.ts'

export type AbiParameter = {
  type: string
  name?: string | undefined
  components?: readonly AbiParameter[] | undefined
}

/** Maximum number of decoded values. Bounds the work, because many offsets can point to the same list. */
const mostValues = 500

/** Decodes untrusted ABI-encoded hex digits (no 0x). Throws a RangeError if they do not match the types. */
export function decodeValues(parameters: readonly AbiParameter[], digits: string): unknown[] {
  let budget = mostValues

  function word(at: number): string {
    const found = digits.slice(at * 2, at * 2 + 64)
    if (found.length !== 64 || --budget < 0)
      throw new RangeError('The data is shorter than its types require.')
    return found
  }

  function length(at: number): number {
    const value = BigInt(`0x${word(at)}`)
    if (value > BigInt(digits.length)) throw new RangeError('A length or an offset is larger than the data.')
    return Number(value)
  }

  function bytes(at: number): string {
    const count = length(at) * 2
    const found = digits.slice((at + 32) * 2, (at + 32) * 2 + count)
    if (found.length !== count) throw new RangeError('The data is shorter than its types require.')
    return found
  }

  function many(list: readonly AbiParameter[], start: number): unknown[] {
    let head = start
    return list.map((parameter) => {
      const at = isDynamic(parameter) ? start + length(head) : head
      head += sizeOf(parameter)
      return one(parameter, at)
    })
  }

  function one(parameter: AbiParameter, at: number): unknown {
    const [, type = '', count] = /(.*)\[(\d*)\]$/.exec(parameter.type) ?? []
    if (count !== undefined) {
      const items = count === '' ? length(at) : Number(count)
      if (items > budget) throw new RangeError('The list is too long.')
      return many(Array(items).fill({ ...parameter, type }), count === '' ? at + 32 : at)
    }
    if (parameter.type === 'tuple') return many(parameter.components ?? [], at)
    if (parameter.type === 'bytes') return `0x${bytes(at)}`
    if (parameter.type === 'string') return toText(bytes(at))
    return toValue(parameter.type, word(at))
  }

  return many(parameters, 0)
}

function isDynamic({ type, components = [] }: AbiParameter): boolean {
  const [, item, count] = /(.*)\[(\d*)\]$/.exec(type) ?? []
  if (item !== undefined) return count === '' || isDynamic({ type: item, components })
  return type === 'bytes' || type === 'string' || components.some(isDynamic)
}

/** Returns how many bytes a value occupies in the head of the encoding. */
function sizeOf(parameter: AbiParameter): number {
  const { type, components = [] } = parameter
  if (isDynamic(parameter)) return 32
  const [, item, count] = /(.*)\[(\d+)\]$/.exec(type) ?? []
  if (item !== undefined) return Number(count) * sizeOf({ type: item, components })
  return type === 'tuple' ? components.reduce((sum, component) => sum + sizeOf(component), 0) : 32
}

function toText(digits: string): string {
  return new TextDecoder().decode(Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number(`0x${pair}`)))
}

function toValue(type: string, word: string): unknown {
  const value = BigInt(`0x${word}`)
  const [, kind = '', size = '256'] =
    /^(u?int|bytes)(\d*)$/.exec(type)?.map((part) => part || undefined) ?? []
  const width = Number(size)
  if (type === 'address' && value >> 160n === 0n) return checkAddress(`0x${word.slice(24)}`, 'address')
  if (type === 'bool' && value < 2n) return value === 1n
  if (kind === 'uint' && value >> BigInt(width) === 0n) return value
  if (kind === 'int' && BigInt.asUintN(256, BigInt.asIntN(width, value)) === value)
    return BigInt.asIntN(width, value)
  if (kind === 'bytes' && width <= 32 && /^0*$/.test(word.slice(width * 2)))
    return `0x${word.slice(0, width * 2)}`
  throw new RangeError('A value is not of its type.')
}

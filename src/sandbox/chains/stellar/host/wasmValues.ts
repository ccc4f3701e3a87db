import { xdr } from '@stellar/stellar-sdk'
import { HostError } from './hostError.ts'

/**
 * How a contract in Wasm sees values (CAP-46-1): 64 bits of which the low 8 are a tag. Small values are inside; of the others
 * the high 32 bits name an object that the host keeps.
 */
const tags = {
  false: 0n,
  true: 1n,
  void: 2n,
  error: 3n,
  u32: 4n,
  i32: 5n,
  u64Small: 6n,
  i64Small: 7n,
  u128Small: 10n,
  i128Small: 11n,
  symbolSmall: 14n,
}
const objectTags: Partial<Record<string, bigint>> = {
  scvU64: 64n,
  scvI64: 65n,
  scvTimepoint: 66n,
  scvDuration: 67n,
  scvU128: 68n,
  scvI128: 69n,
  scvU256: 70n,
  scvI256: 71n,
  scvBytes: 72n,
  scvString: 73n,
  scvSymbol: 74n,
  scvVec: 75n,
  scvMap: 76n,
  scvAddress: 77n,
}
const symbolCharacters = '_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const body = 8n
const major = 32n

/** Turns a value into the 64 bits of a Wasm contract; what does not fit is put at the end of `objects`. */
export function encodeValue(value: xdr.ScVal, objects: xdr.ScVal[]): bigint {
  switch (value.switch().name) {
    case 'scvBool':
      return value.b() ? tags.true : tags.false
    case 'scvVoid':
      return tags.void
    case 'scvU32':
      return (BigInt(value.u32()) << major) | tags.u32
    case 'scvI32':
      return (BigInt.asUintN(32, BigInt(value.i32())) << major) | tags.i32
    case 'scvU64':
      return smallUnsigned(value.u64().toBigInt(), tags.u64Small) ?? keep(value, objects)
    case 'scvI64':
      return smallSigned(value.i64().toBigInt(), tags.i64Small) ?? keep(value, objects)
    case 'scvU128': {
      const parts = value.u128()
      const number = (parts.hi().toBigInt() << 64n) | parts.lo().toBigInt()
      return smallUnsigned(number, tags.u128Small) ?? keep(value, objects)
    }
    case 'scvI128': {
      const parts = value.i128()
      const number = (parts.hi().toBigInt() << 64n) | parts.lo().toBigInt()
      return smallSigned(number, tags.i128Small) ?? keep(value, objects)
    }
    case 'scvSymbol':
      return smallSymbol(value.sym().toString()) ?? keep(value, objects)
    default:
      return keep(value, objects)
  }
}

/**
 * Turns the 64 bits of a Wasm contract into a value.
 *
 * @throws {@link HostError} for a tag or an object that does not exist
 */
export function decodeValue(bits: bigint, objects: readonly xdr.ScVal[]): xdr.ScVal {
  const value = BigInt.asUintN(64, bits)
  const small = value >> body
  const high = value >> major
  switch (value & 0xffn) {
    case tags.false:
      return xdr.ScVal.scvBool(false)
    case tags.true:
      return xdr.ScVal.scvBool(true)
    case tags.void:
      return xdr.ScVal.scvVoid()
    case tags.u32:
      return xdr.ScVal.scvU32(Number(high))
    case tags.i32:
      return xdr.ScVal.scvI32(Number(BigInt.asIntN(32, high)))
    case tags.u64Small:
      return xdr.ScVal.scvU64(new xdr.Uint64(small))
    case tags.i64Small:
      return xdr.ScVal.scvI64(new xdr.Int64(BigInt.asIntN(56, small)))
    case tags.u128Small:
      return xdr.ScVal.scvU128(new xdr.UInt128Parts({ hi: new xdr.Uint64(0n), lo: new xdr.Uint64(small) }))
    case tags.i128Small: {
      const number = BigInt.asIntN(56, small)
      return xdr.ScVal.scvI128(
        new xdr.Int128Parts({
          hi: new xdr.Int64(number >> 64n),
          lo: new xdr.Uint64(BigInt.asUintN(64, number)),
        }),
      )
    }
    case tags.symbolSmall:
      return xdr.ScVal.scvSymbol(readSymbol(small))
    default: {
      const object = objects[Number(high)]
      if (object === undefined || objectTags[object.switch().name] !== (value & 0xffn))
        throw new HostError('HostError: Error(Value, InvalidInput): not a value')
      return object
    }
  }
}

/** The code of a contract's own error, as `fail_with_error` takes it; undefined when it is none. */
export function decodeContractError(bits: bigint): number | undefined {
  const value = BigInt.asUintN(64, bits)
  const isContractError = (value & 0xffffffffn) === tags.error
  return isContractError ? Number(value >> major) : undefined
}

function keep(value: xdr.ScVal, objects: xdr.ScVal[]): bigint {
  const tag = objectTags[value.switch().name]
  if (tag === undefined)
    throw new HostError(`HostError: Error(Value, UnexpectedType): ${value.switch().name} is not simulated`)
  objects.push(value)
  return (BigInt(objects.length - 1) << major) | tag
}

function smallUnsigned(number: bigint, tag: bigint): bigint | undefined {
  return BigInt.asUintN(56, number) === number ? (number << body) | tag : undefined
}

function smallSigned(number: bigint, tag: bigint): bigint | undefined {
  return BigInt.asIntN(56, number) === number ? (BigInt.asUintN(56, number) << body) | tag : undefined
}

function smallSymbol(text: string): bigint | undefined {
  if (text.length > 9) return undefined
  let bits = 0n
  for (const character of text) bits = (bits << 6n) | BigInt(symbolCharacters.indexOf(character) + 1)
  return (bits << body) | tags.symbolSmall
}

function readSymbol(bits: bigint): string {
  let text = ''
  for (let rest = bits; rest > 0n; rest >>= 6n) {
    const character = symbolCharacters[Number(rest & 63n) - 1]
    if (character === undefined) throw new HostError('HostError: Error(Value, InvalidInput): not a symbol')
    text = character + text
  }
  return text
}

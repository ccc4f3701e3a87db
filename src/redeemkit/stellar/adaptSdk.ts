import { BaseError } from '../core/errors/baseError.ts'

/**
 * Gives the values of SDK 17 the API of SDK 15 and 16, against which this package is written.
 *
 * SDK 17 replaced the accessors of its XDR classes (`entry.credentials()`) with fields, and `Buffer`, 64-bit integers and enum functions
 * with plain values. So each value from the SDK is wrapped in a view, and each view that is passed to the SDK is unwrapped. Signed and
 * submitted bytes are always the SDK's own.
 */

/** The used parts of the schema of an SDK 17 XDR class. */
type Schema = {
  kind: string
  entries?: readonly (readonly [name: string, schema: unknown])[]
  /** The discriminant of a union: the names of an enum discriminant, and the discriminant's field in the wire object. */
  switchOn?: { nameByValue?: ReadonlyMap<number, string> }
  switchKey?: string
  cases?: readonly Case[]
  /** The schema that a recursive type refers to. */
  getSchema?: () => Schema
}
type Case = { name: string; discriminant: number; arm?: { name?: string } }

/** A class of the namespace `xdr`, and an instance of it. */
type XdrClass = { schema: Schema; fromXdrObject: (wire: unknown) => XdrValue }
type XdrValue = {
  constructor: XdrClass
  toXdrObject: () => Record<string, unknown>
  toXDR: (format?: string) => Uint8Array | string
}

// biome-ignore lint/complexity/noBannedTypes: what `typeof` narrows to, and `Reflect` takes.
type Callable = Function

const views = new WeakMap<object, object>()
const originals = new WeakMap<object, object>()

/** Whether the installed SDK has the XDR classes of release 17. */
export function isLaterXdr(xdr: object): boolean {
  const { XdrValue } = xdr as Partial<Record<string, { prototype?: object }>> // Untyped; checked before use.
  return typeof XdrValue?.prototype === 'object' && 'toXdr' in XdrValue.prototype
}

export function checkSdk(xdr: object): void {
  const { TransactionEnvelope } = xdr as Partial<Record<string, { prototype?: object }>> // Untyped; checked before use.
  if (isLaterXdr(xdr) || 'switch' in Object(TransactionEnvelope?.prototype)) return
  throw new UnsupportedSdkError(
    'The installed @stellar/stellar-sdk is not supported: it parses transactions differently.',
    { fix: 'Install @stellar/stellar-sdk 15, 16 or 17.', source: 'peerDependencies of package.json' },
  )
}

/** A release of `@stellar/stellar-sdk` outside of the supported range. */
export class UnsupportedSdkError extends BaseError {
  override readonly name = 'UnsupportedSdkError'
}

/** Gives the namespace `xdr` of SDK 17 the API of SDK 15. */
export function viewNamespace<xdr extends object>(xdr: xdr): xdr {
  const get = (_: object, name: string) =>
    name === 'Int64' || name === 'Uint64' ? Integer64 : toView(Reflect.get(xdr, name))
  return new Proxy({}, { get }) as xdr
}

/** Returns a view of an SDK 17 value. Values that are the same in all releases are returned unchanged. */
export function toView<value>(value: value): value {
  // Each branch returns the value in SDK 15's form, which has the declared type.
  return viewOf(value) as value
}

function viewOf(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  if (originals.has(value) || value instanceof Error || value instanceof Bytes) return value
  if (value instanceof Uint8Array) return Bytes.from(value)
  if (Array.isArray(value)) return value.map(viewOf)
  if (value instanceof Promise) return value.then(viewOf)
  if (isPlain(value)) return mapValues(value, viewOf)
  // First an XDR string, which may hold bytes that are not UTF-8, then the classes that wrap bytes.
  if ('asStringOrBytes' in value && 'bytes' in value) return viewOf(value.bytes)
  if ('toBytes' in value && isXdr(value)) return viewOf(Reflect.get(value, 'value'))
  const known = views.get(value)
  if (known !== undefined) return known
  const view = createView(value)
  views.set(value, view)
  originals.set(view, value)
  return view
}

function createView(value: object): object {
  if (typeof value === 'function') return 'schema' in value ? viewClass(value) : viewFunction(value)
  if (!isXdr(value)) return viewInstance(value)
  return schemaOf(value.constructor).kind === 'enum' ? value : viewXdr(value)
}

/** Replaces views with the SDK 17 values behind them, also inside lists, options and callbacks. */
function toOriginal(value: unknown): unknown {
  if (value instanceof Integer64) return value.toBigInt()
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  const original = originals.get(value)
  if (original !== undefined) return original
  if (Array.isArray(value)) return value.map(toOriginal)
  if (value instanceof Promise) return value.then(toOriginal)
  if (typeof value === 'function')
    return (...args: unknown[]) => toOriginal(Reflect.apply(value, undefined, args.map(viewOf)))
  return isPlain(value) ? mapValues(value, toOriginal) : value
}

/** Gives a struct or union functions that read and set its fields. */
function viewXdr(value: XdrValue): object {
  const schema = schemaOf(value.constructor)
  const members: Record<string, unknown> = { toXDR: (format?: string) => viewOf(value.toXDR(format)) }
  for (const name of fieldsOf(value, schema))
    members[name] = (...changed: unknown[]) => {
      if (changed.length > 0)
        Object.assign(
          value,
          value.constructor.fromXdrObject({ ...value.toXdrObject(), [name]: toWire(changed[0]) }),
        )
      return viewField(Reflect.get(value, name))
    }
  if (schema.kind === 'union') {
    members.switch = () => discriminantOf(value, schema)
    members.value = () => viewField(Reflect.get(value, 'value'))
  }
  return Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(members))
}

function fieldsOf(value: XdrValue, { kind, entries = [] }: Schema): readonly string[] {
  return kind === 'struct'
    ? entries.map(([name]) => name)
    : Object.keys(value).filter((name) => name !== 'type')
}

/** Reads a field in SDK 15's form: objects for 64-bit integers, and undefined for an absent value. */
function viewField(field: unknown): unknown {
  return typeof field === 'bigint' ? new Integer64(field) : viewOf(field ?? undefined)
}

/** Returns the discriminant of a union: a number, or an enum's name and number. */
function discriminantOf(value: XdrValue, { cases, switchOn }: Schema): unknown {
  const type: unknown = Reflect.get(value, 'type')
  const found = cases?.find(({ name }) => name === type)
  if (found === undefined) throw new TypeError(`XDR has the unknown arm ${String(type)}.`)
  const name = switchOn?.nameByValue?.get(found.discriminant)
  return name === undefined ? found.discriminant : { name, value: found.discriminant }
}

/** Gives an XDR class SDK 15's API: constructors that take views, unions by discriminant or name, and enums as functions. */
function viewClass(original: object): object {
  // Only XDR classes are functions with a schema.
  const xdrClass = original as XdrClass
  const schema = schemaOf(xdrClass)
  const caseOf = (key: unknown) =>
    schema.cases?.find(({ name, discriminant }) => name === key || discriminant === key)
  const build = ({ arm, discriminant }: Case, value: unknown) =>
    viewOf(
      xdrClass.fromXdrObject({
        [schema.switchKey ?? 'type']: discriminant,
        ...(arm?.name !== undefined && { [arm.name]: toWire(value) }),
      }),
    )
  return new Proxy(original, {
    construct: (_, [input, value]: [unknown, unknown]) => {
      const found = caseOf(input)
      if (found !== undefined) return Object(build(found, value))
      const fields = (schema.entries ?? []).map(([name]) => [name, toWire(Object(input)[name])])
      return Object(viewOf(xdrClass.fromXdrObject(Object.fromEntries(fields))))
    },
    get: (_, name) => {
      if (name === 'prototype') return Reflect.get(original, name)
      const found = caseOf(name)
      if (found !== undefined) return (value: unknown) => build(found, value)
      const member: unknown = Reflect.get(original, name)
      return schema.kind === 'enum' && isXdr(member) ? () => member : bind(member, original)
    },
  })
}

/** Wraps a function, or a class that is not an XDR class. */
function viewFunction(original: Callable): object {
  return new Proxy(original, {
    apply: (_, self, args: unknown[]) => call(original, toOriginal(self), args),
    construct: (_, args: unknown[]) => Object(viewOf(Reflect.construct(original, args.map(toOriginal)))),
    get: (_, name) =>
      name === 'prototype' ? Reflect.get(original, name) : bind(Reflect.get(original, name), original),
  })
}

/** Wraps an object of another class, such as a transaction. */
function viewInstance(original: object): object {
  return new Proxy(Object.create(Object.getPrototypeOf(original)), {
    get: (_, name) => bind(Reflect.get(original, name), original),
    set: (_, name, value) => Reflect.set(original, name, toOriginal(value)),
    has: (_, name) => name in original,
  })
}

function bind(member: unknown, self: object): unknown {
  if (typeof member !== 'function' || 'schema' in member) return viewOf(member)
  return (...args: unknown[]) => call(member, self, args)
}

function call(original: Callable, self: unknown, args: readonly unknown[]): unknown {
  return viewOf(Reflect.apply(original, self, args.map(toOriginal)))
}

/** Returns the wire object of a value. SDK 17 builds every class from wire objects. */
function toWire(value: unknown): unknown {
  const original = toOriginal(value)
  if (isXdr(original)) return original.toXdrObject()
  if (Array.isArray(original)) return original.map(toWire)
  return original ?? null
}

function isXdr(value: unknown): value is XdrValue {
  return typeof value === 'object' && value !== null && 'schema' in Object(value.constructor)
}

function schemaOf({ schema }: XdrClass): Schema {
  return schema.getSchema?.() ?? schema
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function mapValues(value: object, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]))
}

/** A 64-bit integer in SDK 15's form. */
class Integer64 {
  readonly #value: bigint
  constructor(value: bigint | number | string) {
    this.#value = BigInt(value)
  }
  toBigInt(): bigint {
    return this.#value
  }
  toString(): string {
    return this.#value.toString()
  }
}

/** Bytes with those `Buffer` methods that are called on SDK values. Browsers have no `Buffer`. */
class Bytes extends Uint8Array {
  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, index) => byte === other[index])
  }
  override toString(encoding?: 'hex' | 'base64' | 'utf8'): string {
    if (encoding === 'hex') return [...this].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    if (encoding === 'base64') return btoa(String.fromCharCode(...this))
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this)
  }
}

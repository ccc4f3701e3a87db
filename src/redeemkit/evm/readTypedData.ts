import type { InvalidAmountError } from '../core/amount.ts'
import { BaseError } from '../core/errors/baseError.ts'
import type { InvalidAddressError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { InvalidJsonError, parseJson, type UnsafeJsonNumberError } from '../core/parseJson.ts'
import { checkDomain, domainMembers, type TypedDataDomain, type TypedDataMember } from './typedData.ts'
import {
  checkKeys,
  checkRecord,
  type InvalidChainIdError,
  type InvalidTextError,
  parseUint,
} from './values.ts'

/** Typed data with a checked layout. The values of its message are not checked. */
type ReadTypedData = {
  domain: TypedDataDomain
  primaryType: string
  message: Record<string, unknown>
}

/**
 * Reads complete typed data, as JSON text or as an object. It must have exactly the members of one of the layouts; `types` must list them
 * in order and include `EIP712Domain`. Refuses JSON text in which an object repeats a key.
 */
export function readTypedData(
  input: unknown,
  layouts: Readonly<Record<string, readonly TypedDataMember[]>>,
  options: readTypedData.Options = {},
): ReadTypedData {
  const record = checkRecord(typeof input === 'string' ? parseTypedData(input) : input, 'message')
  const types = record.types
  const primaryType = record.primaryType
  const expected =
    typeof primaryType === 'string' && Object.hasOwn(layouts, primaryType) ? layouts[primaryType] : undefined
  const hasLayout =
    typeof types === 'object' &&
    types !== null &&
    expected !== undefined &&
    Object.keys(types).length === 2 &&
    sameMembers(ownValue(types, 'EIP712Domain'), domainMembers) &&
    sameMembers(ownValue(types, primaryType as string), expected) // `layouts` has this key
  if (!hasLayout) throw unknownLayout(record, Object.keys(layouts))
  checkKeys(record, '', { required: ['domain', 'types', 'primaryType', 'message'] })
  const message = checkKeys(record.message, 'message', { required: expected.map((member) => member.name) })
  const decimals = options.hex === true ? hexToDecimals : (fields: Record<string, unknown>) => fields
  return {
    domain: readDomain(decimals(checkRecord(record.domain, 'domain'), domainMembers)),
    primaryType: primaryType as string, // `layouts` has this key
    message: decimals(message, expected),
  }
}

export declare namespace readTypedData {
  type Options = {
    /** Also accepts integers as 0x-hex text, as wallets do. Default false. */
    hex?: boolean | undefined
  }
  type ErrorType =
    | UnknownTypedDataError
    | checkKeys.ErrorType
    | InvalidAddressError
    | InvalidAmountError
    | InvalidChainIdError
    | InvalidJsonError
    | InvalidTextError
    | UnsafeJsonNumberError
}

/** Parses JSON. Refuses a repeated key, because two parsers could read different values. */
export function parseTypedData(text: string): unknown {
  const value = parseJson(text, { field: 'message' })
  const key = duplicateKey(text)
  if (key === undefined) return value
  throw new InvalidJsonError(`The JSON repeats the key ${showValue(key)} in one object.`, {
    field: 'message',
    fix: 'Do not sign it: the wallet could read the other value.',
    source: 'RFC 8259, section 4',
  })
}

function hexToDecimals(
  fields: Record<string, unknown>,
  members: readonly TypedDataMember[],
): Record<string, unknown> {
  const decimals = { ...fields }
  for (const { name, type } of members) {
    const value = fields[name]
    if (type === 'uint256' && typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value))
      decimals[name] = BigInt(value).toString()
  }
  return decimals
}

function readDomain(domain: Record<string, unknown>): TypedDataDomain {
  if (domain.chainId === undefined) return checkDomain(domain)
  const chainId = parseUint(domain.chainId, 'domain.chainId')
  // A chain id above 2^53 - 1 would be rounded as a number. As a bigint, it is refused, and the error quotes it exactly.
  return checkDomain({
    ...domain,
    chainId: chainId > BigInt(Number.MAX_SAFE_INTEGER) ? chainId : Number(chainId),
  })
}

/** Describes how typed data differs from the expected layout of its primary type: `it has an extra type (\`Extra\`)`. */
export function layoutProblem(
  record: Readonly<Record<string, unknown>>,
  primaryType: string,
  expected: readonly TypedDataMember[],
): string {
  const types = typeof record.types === 'object' && record.types !== null ? record.types : {}
  const named = (name: string) => `\`${plain(name)}\``
  if (!Object.hasOwn(types, 'EIP712Domain')) return 'it does not declare its domain (`EIP712Domain`)'
  const extra = Object.keys(types).find((name) => name !== 'EIP712Domain' && name !== primaryType)
  if (extra !== undefined) return `it has an extra type (${named(extra)})`
  if (!sameMembers(ownValue(types, 'EIP712Domain'), domainMembers)) return 'its domain has the wrong fields'
  const members = ownValue(types, primaryType)
  const list = Array.isArray(members) ? members.map((member: unknown) => Object(member)) : []
  const nameOf = (member: object) => String(plain(ownValue(member, 'name')))
  const missing = expected.find(({ name }) => !list.some((member) => nameOf(member) === name))
  if (missing !== undefined) return `its field ${named(missing.name)} is missing`
  const more = list.find((member) => !expected.some(({ name }) => name === nameOf(member)))
  if (more !== undefined) return `it has an extra field (${named(nameOf(more))})`
  const other = expected.find(({ name, type }) =>
    list.some((member) => nameOf(member) === name && ownValue(member, 'type') !== type),
  )
  if (other !== undefined) return `its field ${named(other.name)} has the wrong type`
  return list.length > expected.length ? 'it repeats a field' : 'its fields are in the wrong order'
}

function sameMembers(members: unknown, expected: readonly TypedDataMember[]): boolean {
  return (
    Array.isArray(members) &&
    members.length === expected.length &&
    expected.every(({ name, type }, index) => {
      const member: unknown = members[index]
      return (
        typeof member === 'object' &&
        member !== null &&
        Object.keys(member).length === 2 &&
        ownValue(member, 'name') === name &&
        ownValue(member, 'type') === type
      )
    })
  )
}

/** Returns an own field of an object, never one of its prototype. */
export function ownValue<value>(
  record: object | Readonly<Record<string, value>>,
  key: string,
): value | undefined {
  // an own field can be read by name
  return Object.hasOwn(record, key) ? (record as Readonly<Record<string, value>>)[key] : undefined
}

function unknownLayout(record: Record<string, unknown>, known: readonly string[]): UnknownTypedDataError {
  const { primaryType, types, message } = record
  const members =
    typeof types === 'object' && types !== null && typeof primaryType === 'string'
      ? ownValue(types, primaryType)
      : undefined
  const fields = (
    Array.isArray(members)
      ? members.map((member: unknown) =>
          typeof member === 'object' && member !== null
            ? `${plain(ownValue(member, 'type'))} ${plain(ownValue(member, 'name'))}`
            : '?',
        )
      : typeof message === 'object' && message !== null
        ? Object.keys(message).map(plain)
        : []
  ).slice(0, 32)
  return new UnknownTypedDataError(
    `Typed data ${showValue(primaryType)} has an unknown layout: ${fields.length === 0 ? 'no fields' : fields.join(', ')}.`,
    {
      field: 'types',
      fix: `Do not sign it. Supported types: ${known.join(', ')}, each with the exact members of its typehash.`,
      source: 'EIP-712',
    },
    fields,
  )
}

// only strings are shown: converting another value to text could run code of the request's sender
const plain = (value: unknown) =>
  typeof value === 'string' ? value.slice(0, 40).replace(/[^\w[\]$ ]/g, '?') : '?'

/** The layout of the typed data is not supported. */
export class UnknownTypedDataError extends BaseError {
  override readonly name = 'UnknownTypedDataError'
  /** The fields of its message, as `type name` if the types are given. */
  readonly fields: readonly string[]
  constructor(shortMessage: string, options: BaseError.Options, fields: readonly string[]) {
    super(shortMessage, options)
    this.fields = fields
  }
}

/**
 * Returns the first key that occurs twice in one object of valid JSON, compared unescaped. Some parsers keep the first value and some the
 * last (RFC 8259, section 4), so the wallet could sign a value that was not checked.
 */
export function duplicateKey(json: string): string | undefined {
  /** The keys seen so far in each enclosing object. */
  const open: Set<string>[] = []
  let text = ''
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (sign === '"') {
      const start = at
      while (json[++at] !== '"') if (json[at] === '\\') at++
      text = json.slice(start, at + 1)
    } else if (sign === '{') open.push(new Set())
    else if (sign === '}') open.pop()
    else if (sign === ':') {
      const key = text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1)
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return undefined
}

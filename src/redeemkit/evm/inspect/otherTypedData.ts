import type { Address } from 'viem'
import { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { showKey, showValue } from '../../core/errors/showValue.ts'
import type { InspectionLine, InspectionValue } from '../../core/inspection/inspection.ts'
import { addressValue, line, sentence, sentenceValue, textValue } from '../../core/inspection/values.ts'
import { jsonText } from '../../core/parseJson.ts'
import { checkAddress } from '../checkAddress.ts'
import { quote, shortened } from '../findingTexts.ts'
import { ownValue } from '../readTypedData.ts'
import type { TypedDataMember } from '../typedData.ts'
import { checkRecord, InvalidChainIdError, parseUint } from '../values.ts'

type Structs = Readonly<Record<string, readonly TypedDataMember[]>>

export type OtherTypedData = {
  primaryType: string
  /** The members of the primary type and of every type that it uses. */
  structs: Structs
  /** The members of each type as text: `type name,type name`. */
  layouts: Readonly<Record<string, string>>
  hasDomain: boolean
  domain: { name: string | undefined; chainId: number | undefined; verifyingContract: Address | undefined }
  domainValues: Readonly<Record<string, unknown>>
  message: Readonly<Record<string, unknown>>
}

/** Reads typed data of any layout. Ignores undeclared fields, because wallets do not sign them. */
export function readOtherTypedData(record: Readonly<Record<string, unknown>>): OtherTypedData {
  const { primaryType } = record
  const types = checkRecord(record.types, 'types')
  const name = String(primaryType)
  const structs: Record<string, TypedDataMember[]> = {}
  reach(types, name, structs)
  const layouts = Object.fromEntries(
    Object.entries(structs).map(([type, list]) => [
      type,
      list.map((one) => `${one.type} ${one.name}`).join(','),
    ]),
  )
  const domainMembers = Object.hasOwn(types, 'EIP712Domain') ? readMembers(types, 'EIP712Domain') : []
  const declared = domainMembers.map((member) => member.name)
  const values = record.domain === undefined ? {} : checkRecord(record.domain, 'domain')
  const own = (key: string) => (declared.includes(key) ? ownValue(values, key) : undefined)
  const message = checkRecord(record.message, 'message')
  const typeText = Object.entries(layouts).reduce((sum, [type, text]) => sum + type.length + text.length, 0)
  if (typeText * objectsIn(message) > mostWork)
    throw malformed('The request is too large to be read.', 'message')
  checkValues(structs[name] ?? [], message, 'message')
  checkValues(domainMembers, values, 'domain')
  const signed = { ...structs, EIP712Domain: domainMembers }
  const [domainName, chainId, contract] = [own('name'), own('chainId'), own('verifyingContract')]
  return {
    primaryType: name,
    structs,
    layouts,
    hasDomain: domainMembers.length > 0,
    domain: {
      name: typeof domainName === 'string' ? domainName : undefined,
      chainId: chainId === undefined ? undefined : readChainId(chainId),
      // some protocols put an account of a non-EVM chain here, so it may not be an address
      verifyingContract: isAddress(contract) ? readAddress(contract, 'domain.verifyingContract') : undefined,
    },
    domainValues: signedValue(signed, 'EIP712Domain', values, 'domain') as Record<string, unknown>, // an object stays an object
    message: signedValue(signed, name, message, 'message') as Record<string, unknown>, // an object stays an object
  }
}

/** Refuses a declared field without a value, because wallets differ in how they encode it. */
function checkValues(
  members: readonly TypedDataMember[],
  values: Readonly<Record<string, unknown>>,
  field: string,
): void {
  const missing = members.find(({ name }) => ownValue(values, name) === undefined)
  if (missing === undefined) return
  throw malformed(`Malformed request: the field \`${showKey(missing.name)}\` has no value.`, field)
}

/**
 * Returns the declared fields of a value, with checksummed addresses. Refuses a boolean as text, because some wallets sign "false" as true.
 * Refuses an address written as a number, because a user cannot recognize it. In the domain, also refuses null.
 */
function signedValue(
  structs: Structs,
  type: string,
  value: unknown,
  at: 'domain' | 'message',
  field = '',
): unknown {
  const [, item] = /^(.+)\[\d*\]$/.exec(type) ?? []
  if (item !== undefined && Array.isArray(value))
    return value.map((one) => signedValue(structs, item, one, at, field))
  const members = ownValue(structs, type)
  if (members !== undefined && isObject(value))
    return Object.fromEntries(
      members.map(({ name, type: inner }) => [
        name,
        signedValue(structs, inner, ownValue(value, name), at, showKey(name)),
      ]),
    )
  if (type === 'bool' && typeof value !== 'boolean')
    throw malformed(
      `Malformed request: ${showValue(value)} is neither true nor false.`,
      'message',
      'wallets sign it differently',
    )
  if (type !== 'address' || (value === null && at === 'message')) return value
  if (isAddress(value)) return readAddress(value, at)
  throw malformed(
    `Malformed request: \`${field}\` is not written as an address.`,
    `${at}.${field}`,
    'a wallet could read a different address than it shows',
  )
}

/** Limit for the size of the types times the number of objects in the message: wallets hash the types again for every object. */
const mostWork = 3_000_000

const objectsIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, one) => sum + objectsIn(one), 1)
    : 0

export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)

/** Reads an address. Ignores its checksum, because many pages write addresses without one. */
export function readAddress(value: unknown, field: string): Address {
  return checkAddress(typeof value === 'string' ? value.toLowerCase() : value, field)
}

/** Reads an integer as wallets do: from a bigint, 0x-hex, decimal text or a safe integer. */
export function readUint(value: unknown, field: string): bigint {
  if (typeof value === 'bigint' && value >> 256n === 0n) return value
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  return parseUint(value, field)
}

/** Reads a chain id. Refuses an id above 2^53 - 1, because page, wallet and contract could read different chains. */
export function readChainId(value: unknown, field = 'domain.chainId'): number {
  const text = typeof value === 'object' ? '' : String(value)
  const chainId = whole.test(text) ? BigInt(text) : 0n
  if (chainId > 0n && chainId <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(chainId)
  throw new InvalidChainIdError(`The network cannot be shown: its chain id is ${showValue(value)}.`, {
    field,
    fix: 'Do not sign it: a wallet, the page and the contract could read different chains.',
    source: 'EIP-155',
  })
}

const whole = /^(?:0x[0-9a-f]{1,64}|0|[1-9]\d{0,77})$/i

const mostLines = 200

/** A list of more plain values than this has a single line. */
const mostItems = 8

export function linesOf({
  structs,
  primaryType,
  message,
}: Pick<OtherTypedData, 'structs' | 'primaryType' | 'message'>): InspectionLine[] {
  const lines: InspectionLine[] = []
  let isCut = false

  function add(path: string, type: string, value: unknown): void {
    isCut ||= lines.length >= mostLines
    if (isCut) return
    const [, item] = /^(.+)\[\d*\]$/.exec(type) ?? []
    const members = ownValue(structs, type)
    if (item !== undefined && isListed(item, value))
      for (let index = 0; index < value.length && !isCut; index++)
        add(`${path}[${index}]`, item, value[index])
    else if (members !== undefined && members.length > 0 && isObject(value))
      for (const { name, type: inner } of members) add(`${path}.${label(name)}`, inner, ownValue(value, name))
    else lines.push({ key: 'field', field: shortened(path, 160), value: fieldValue(value, type) })
  }

  function isListed(item: string, value: unknown): value is unknown[] {
    const isPlain = atomic.test(item)
    return Array.isArray(value) && value.length > 0 && (!isPlain || value.length <= mostItems)
  }

  for (const { name, type } of structs[primaryType] ?? []) add(label(name), type, message[name])
  return isCut ? [...lines, line('note', sentenceValue(sentence('note.cut')))] : lines
}

export function parameterLines(list: readonly unknown[]): InspectionLine[] {
  const [first] = list
  const message = { ...(list.length === 1 && isObject(first) ? first : list) }
  const members = Object.entries(message).map(([name, value]) => ({ name, type: typeof value }))
  return linesOf({ structs: { '': members }, primaryType: '', message })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const label = (name: string) => (/^[\w$]{1,40}$/.test(name) ? name : quote(name))

function fieldValue(value: unknown, type: string): InspectionValue {
  if (type === 'address' && isAddress(value)) return addressValue(value)
  if (type === 'string' && typeof value === 'string') return textValue(quote(value, 160))
  const text = typeof value === 'object' ? jsonText(value) : String(value)
  return textValue(shortened(text, 160))
}

function readMembers(types: Readonly<Record<string, unknown>>, name: string): TypedDataMember[] {
  const list = ownValue(types, name)
  if (!Array.isArray(list)) throw malformedType(name, 'not defined')
  return list.map((item: unknown) => {
    const { name: field, type } = checkRecord(item, 'types')
    if (typeof field !== 'string' || typeof type !== 'string') throw malformedType(name, 'not defined')
    const other = [name, field, type].find((one) => splitting.test(one))
    if (other !== undefined)
      throw malformed(
        `Malformed request: the type or field ${quote(other)} has a bracket or a comma in its name.`,
        'types',
        'a contract could read fields that are not shown',
      )
    return { name: field, type }
  })
}

/**
 * Matches brackets and commas without a space next to them. In a name, they can make an encoded type, such as
 * `Mail(address to,string text)`, equal to the encoded type of other fields. Labels for people have spaces there.
 */
const splitting = /\S\(|\)\S|,\S/

const atomic = /^(?:u?int\d{0,3}|bytes\d{0,2}|address|bool|string|function)$/

function reach(
  types: Readonly<Record<string, unknown>>,
  name: string,
  found: Record<string, TypedDataMember[]>,
): void {
  if (Object.hasOwn(found, name)) return
  const members = readMembers(types, name)
  found[name] = members
  for (const { type } of members) {
    const [base = ''] = type.split('[')
    if (!atomic.test(base)) reach(types, base, found)
    else if (Object.hasOwn(types, base)) throw malformedType(base, 'redefined')
  }
}

const malformedType = (name: string, problem: 'not defined' | 'redefined') =>
  malformed(`Malformed request: the type \`${showKey(name)}\` is ${problem}.`, 'types')

/** `reason` completes the sentence "Do not sign it: …". */
export const malformed = (message: string, field: string, reason?: string) =>
  new InvalidRecordError(message, {
    field,
    fix: `Do not sign it${reason === undefined ? '' : `: ${reason}`}.`,
  })

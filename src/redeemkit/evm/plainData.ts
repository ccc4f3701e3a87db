import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { showKey } from '../core/errors/showValue.ts'

/** Maximum number of values in a request. No honest request has more. */
const mostValues = 100_000
const deepest = 65
/** Maximum number of characters in a request. More would take seconds to hash and show. */
const mostCharacters = 1_000_000

/**
 * Copies a request into plain data, reading every value once. Refuses values that could differ when the wallet reads them: accessors,
 * `toJSON`, non-enumerable fields, functions and class instances.
 */
export function readPlainData(value: unknown, field: string): unknown {
  let budget = mostValues
  let characters = mostCharacters
  /** Path of the current value. */
  const keys = [field]

  function copy(one: unknown): unknown {
    if (typeof one === 'string') characters -= one.length
    if (--budget < 0 || characters < 0 || keys.length > deepest)
      throw refused('The request is too large to be read.', keys)
    if (typeof one === 'function' || typeof one === 'symbol')
      throw refused(`The request contains a ${typeof one}, which is not data.`, keys)
    if (typeof one !== 'object' || one === null) return one
    const isList = Array.isArray(one)
    checkPrototype(one, isList, keys)
    const fields = fieldsOf(one, isList, keys)
    for (const entry of fields) {
      keys.push(entry[0])
      entry[1] = copy(entry[1])
      keys.pop()
    }
    if (!isList) return Object.fromEntries(fields)
    if (fields.length !== one.length) throw refused('The request contains a list with gaps.', keys)
    return fields.map(([, item]) => item)
  }

  return copy(value)
}

/** Reads one field of an object, without reading any other field. */
export function readOwnField(record: object, name: string): unknown {
  const found = Object.getOwnPropertyDescriptor(record, name)
  if (found === undefined) return undefined
  if (!('value' in found))
    throw refused(`The field \`${name}\` is a getter, so its value can change after this check.`, [name])
  return found.value
}

function fieldsOf(record: object, isList: boolean, at: readonly string[]): [string, unknown][] {
  const fields: [string, unknown][] = []
  for (const key of Object.getOwnPropertyNames(record)) {
    const found = Object.getOwnPropertyDescriptor(record, key)
    if (found === undefined) continue
    if (key === '__proto__')
      throw refused('The request contains a field named `__proto__`. Wallets must not sign it.', at)
    if (!('value' in found))
      throw refused(
        `The field \`${showKey(key)}\` is a getter, so its value can change after this check.`,
        at,
      )
    if (key === 'toJSON' && typeof found.value === 'function')
      throw refused('The request has a `toJSON` method, so the wallet would sign something else.', at)
    if (found.enumerable === true) fields.push([key, found.value])
    else if (!isList || key !== 'length')
      throw refused(`The field \`${showKey(key)}\` is hidden (not enumerable).`, at)
  }
  return fields
}

/** Refuses class instances: a prototype can add `toJSON` and other values. Objects of other windows have another `Object.prototype`. */
function checkPrototype(value: object, isList: boolean, at: readonly string[]): void {
  let prototype: unknown = Object.getPrototypeOf(value)
  if (isList && typeof prototype === 'object' && prototype !== null)
    prototype = Object.getPrototypeOf(prototype)
  if (typeof prototype !== 'object' || prototype === null) return
  if (Object.getPrototypeOf(prototype) !== null || Object.hasOwn(prototype, 'toJSON'))
    throw refused('The request contains an object that is not plain data.', at)
}

function refused(message: string, [field, ...keys]: readonly string[]) {
  return new InvalidRecordError(message, {
    field: [field, ...keys.map(showKey)].join('.'),
    fix: 'Do not sign it.',
  })
}

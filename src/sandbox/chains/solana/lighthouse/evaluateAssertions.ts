import type { Clock } from 'litesvm'
import { keccak256 } from 'viem'
import { tokenAccountOf } from '../../../../redeemkit/solana/address.ts'
import { formatBase58 } from '../../../../redeemkit/solana/encoding.ts'
import { programs } from '../../../../redeemkit/solana/instruction/programs.ts'
import {
  clockFields,
  dataKinds,
  infoFields,
  mintFields,
  type Target,
  tokenFields,
} from './assertionFields.ts'
import { assertionReader, type Kind, OutOfBoundsError, type Value } from './assertionReader.ts'
import { lighthouseErrors } from './standIn.ts'

/** What the program would return (0 when all hold), and why in words. */
export type Verdict = { result: bigint; reason: string }

/**
 * Evaluates one instruction of the Lighthouse program.
 *
 * @param options.data the instruction's data: its number, how much it logs, one assertion or several
 */
export function evaluateAssertions(options: {
  data: Uint8Array
  targets: readonly Target[]
  clock: Clock
}): Verdict {
  const reader = assertionReader(options.data, { optionBytes: 1 })
  try {
    const number = reader.byte()
    reader.byte() // how much is logged
    if (number === clockNumber) return asVerdict(evaluateClock(reader, options.clock))
    const [evaluate, isMulti] = instructions[number] ?? []
    if (evaluate === undefined)
      return asVerdict(failure('invalidInstructionData', `the stand-in does not run instruction ${number}`))
    const [target] = options.targets
    if (target === undefined) return asVerdict(failure('notEnoughAccountKeys', 'an account is missing'))
    if (isMulti !== true) return asVerdict(evaluate(reader, target))
    const count = reader.compact()
    for (let index = 0; index < count; index++) {
      const found = evaluate(reader, target)
      // Of several, the one that does not hold is told by the error: 0x1900 and its place.
      if (found?.name === 'assertionFailed')
        return { result: 0x1900n + BigInt(index), reason: `assertion ${index}: ${found.reason}` }
      if (found !== undefined) return asVerdict(found)
    }
    return asVerdict(undefined)
  } catch (error) {
    if (!(error instanceof OutOfBoundsError)) throw error
    return asVerdict(failure('invalidInstructionData', `the instruction is cut off (${error.message})`))
  }
}

type Reader = ReturnType<typeof assertionReader>
type Failure = { name: keyof typeof lighthouseErrors; reason: string }
type Evaluate = (reader: Reader, target: Target) => Failure | undefined

const clockNumber = 15

/** By number: what evaluates one assertion, and whether the instruction holds several. */
const instructions: Record<number, [evaluate: Evaluate, isMulti?: true]> = {
  2: [evaluateData],
  3: [evaluateData, true],
  5: [evaluateInfo],
  6: [evaluateInfo, true],
  7: [evaluateMint],
  8: [evaluateMint, true],
  9: [evaluateToken],
  10: [evaluateToken, true],
}

function evaluateClock(reader: Reader, clock: Clock): Failure | undefined {
  const field = clockFields[reader.byte()]
  return field === undefined ? unknownField : compare(reader, field[0], field[1](clock))
}

function evaluateData(reader: Reader, { data }: Target): Failure | undefined {
  const from = reader.compact()
  const kind = dataKinds[reader.byte()]
  if (kind === undefined) return unknownField
  if (data.length === 0) return failure('accountNotInitialized', 'the account is empty')
  if (kind !== 'bytes') return compareStored(reader, { kind, data, from })
  const wanted = reader.take(reader.compact())
  const isWanted = reader.byte() === 0
  if (from + wanted.length > data.length) return outOfBounds
  const isEqual = Buffer.from(data.subarray(from, from + wanted.length)).equals(wanted)
  return isEqual === isWanted ? undefined : failure('assertionFailed', `bytes from ${from} on`)
}

const hashNumber = 8

function evaluateInfo(reader: Reader, target: Target): Failure | undefined {
  const number = reader.byte()
  if (number === hashNumber) {
    const wanted = Buffer.from(reader.take(32)).toString('hex')
    const from = reader.compact()
    const to = from + reader.compact()
    if (to > target.data.length) return outOfBounds
    if (keccak256(target.data.subarray(from, to)) === `0x${wanted}`) return undefined
    return failure('assertionFailed', `the hash of bytes ${from} to ${to} is another`)
  }
  const field = infoFields[number]
  return field === undefined ? unknownField : compare(reader, field[0], field[1](target))
}

function evaluateMint(reader: Reader, target: Target): Failure | undefined {
  const field = mintFields[reader.byte()]
  if (!isOfTokenProgram(target)) return foreignOwner
  if (field === undefined) return unknownField
  return compareStored(reader, { kind: field[0], data: target.data, from: field[1] })
}

const derivedNumber = 8

function evaluateToken(reader: Reader, target: Target): Failure | undefined {
  const number = reader.byte()
  const { data, owner, address } = target
  if (!isOfTokenProgram(target)) return foreignOwner
  if (number === derivedNumber) {
    if (data.length < 64) return outOfBounds
    if (owner !== programs.token)
      return failure(
        'invalidInstructionData',
        'the stand-in derives accounts of the older Token program only',
      )
    const [mint, holder] = [formatBase58(data.slice(0, 32)), formatBase58(data.slice(32, 64))]
    return tokenAccountOf({ owner: holder, mint }) === address
      ? undefined
      : failure('assertionFailed', `${address} is not the associated token account of its owner`)
  }
  const field = tokenFields[number]
  if (field === undefined) return unknownField
  return compareStored(reader, { kind: field[0], data, from: field[1] })
}

function isOfTokenProgram({ owner }: Target): boolean {
  return owner === programs.token || owner === programs.token2022
}

/** Compares what lies in an account's data. */
function compareStored(
  reader: Reader,
  options: { kind: Kind; data: Uint8Array; from: number },
): Failure | undefined {
  const { kind, data, from } = options
  let actual: Value
  try {
    actual = assertionReader(data, { from, optionBytes: 4 }).value(kind)
  } catch (error) {
    if (error instanceof OutOfBoundsError) return outOfBounds
    throw error
  }
  return compare(reader, kind, actual)
}

/** Reads the wanted value and the operator, and holds the actual value against them. */
function compare(reader: Reader, kind: Kind, actual: Value): Failure | undefined {
  const wanted = reader.value(kind)
  const number = reader.byte()
  const [sign, holds] = operators[number] ?? []
  // What is no integer is equal or not.
  if (holds === undefined || (number > 1 && !/^[ui]\d/.test(kind)))
    return failure('invalidInstructionData', `there is no operator ${number}`)
  return holds(actual, wanted) ? undefined : failure('assertionFailed', `${actual} ${sign} ${wanted}`)
}

const ofIntegers =
  (holds: (a: bigint, b: bigint) => boolean) =>
  (a: Value, b: Value): boolean =>
    typeof a === 'bigint' && typeof b === 'bigint' && holds(a, b)

const operators: readonly (readonly [sign: string, holds: (actual: Value, wanted: Value) => boolean])[] = [
  ['==', (a, b) => a === b],
  ['!=', (a, b) => a !== b],
  ['>', ofIntegers((a, b) => a > b)],
  ['<', ofIntegers((a, b) => a < b)],
  ['>=', ofIntegers((a, b) => a >= b)],
  ['<=', ofIntegers((a, b) => a <= b)],
  ['contains', ofIntegers((a, b) => (a & b) === b)],
  ['does not contain', ofIntegers((a, b) => (a & b) === 0n)],
]

function failure(name: Failure['name'], reason: string): Failure {
  return { name, reason }
}

const unknownField = failure('invalidInstructionData', 'the assertion is unknown')
const outOfBounds = failure('rangeOutOfBounds', 'the account is shorter than that')
const foreignOwner = failure('accountOwnerMismatch', 'the account is not one of a token program')

function asVerdict(found: Failure | undefined): Verdict {
  return found === undefined
    ? { result: 0n, reason: '' }
    : { result: lighthouseErrors[found.name], reason: `${found.name}: ${found.reason}` }
}

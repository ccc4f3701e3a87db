import { type AbiFunction, parseAbiItem } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'

/**
 * A function as Solidity writes it: `buy(address,uint256)`, with names, modifiers and `returns` when they are there. Structs
 * are written as tuples, `(address,uint256)[]`.
 *
 * @param field of the command line, for the error
 * @throws {@link InvalidSignatureTextError}
 */
export function parseSignature(text: string, field: string): AbiFunction {
  const signature = text
    .trim()
    .replace(/^function\s+/, '')
    .replace(/;$/, '')
    // As some write it, and the parser does not.
    .replace(/^(\S+)\s+\(/, '$1(')
    .replace(/\btuple\s*\(/g, '(')
  const wrong = (what: string, cause?: unknown) =>
    new InvalidSignatureTextError(`${showValue(text, 120)} ${what}.`, {
      field,
      fix: 'Write it as in Solidity, in quotation marks: "buy(address,uint256)", or "buy(address receiver, uint256 price)"; a struct as a tuple: "buy((address,uint256),bytes)".',
      cause,
    })
  if (/^0x[0-9a-fA-F]*$/.test(signature))
    throw new InvalidSignatureTextError(`${showValue(text, 120)} is a selector, which says no types.`, {
      field,
      fix: 'Give the signature, such as "buy(address,uint256)"; or, in place of it and its arguments, the whole call data: --data 0x….',
    })
  if (/^\w+$/.test(signature)) throw wrong('has no list of types, not even an empty one')
  if (!/^[A-Za-z_$][\w$]*\s*\(/.test(signature)) throw wrong('is not the signature of a function')
  let item: ReturnType<typeof parseAbiItem<string>>
  try {
    item = parseAbiItem(`function ${signature}`)
  } catch (cause) {
    throw wrong(`does not parse${reasonOf(cause)}`, cause)
  }
  if (item.type !== 'function') throw wrong('is not the signature of a function')
  return item
}

/** The parser's own words, where they are about a type. */
function reasonOf(cause: unknown): string {
  const words = cause instanceof Error && 'shortMessage' in cause ? String(cause.shortMessage) : ''
  const details = cause instanceof Error && 'metaMessages' in cause ? cause.metaMessages : undefined
  const [first] = Array.isArray(details) ? details : []
  return typeof first === 'string' && words.length < 40 ? `: ${first.replace(/\.$/, '')}` : ''
}

/** A function's signature that does not parse. */
export class InvalidSignatureTextError extends BaseError {
  override readonly name = 'InvalidSignatureTextError'
}

/** Arguments that do not fit the signature. */
export class InvalidArgumentsError extends BaseError {
  override readonly name = 'InvalidArgumentsError'
}

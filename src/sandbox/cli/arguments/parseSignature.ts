import { type AbiFunction, parseAbiItem } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'

/**
 * Parses a function signature as Solidity writes it: `buy(address,uint256)`, optionally with names, modifiers and
 * `returns`. Structs are written as tuples, `(address,uint256)[]`.
 *
 * @param field name of the option, for the error
 */
export function parseSignature(text: string, field: string): AbiFunction {
  const signature = text
    .trim()
    .replace(/^function\s+/, '')
    .replace(/;$/, '')
    // Common notations that the parser rejects.
    .replace(/^(\S+)\s+\(/, '$1(')
    .replace(/\btuple\s*\(/g, '(')
  const wrong = (what: string, cause?: unknown) =>
    new InvalidSignatureTextError(`${showValue(text, 120)} ${what}.`, {
      field,
      fix: 'Write it as in Solidity, in quotes: "buy(address,uint256)" or "buy(address receiver, uint256 price)". Write a struct as a tuple: "buy((address,uint256),bytes)".',
      cause,
    })
  if (/^0x[0-9a-fA-F]*$/.test(signature))
    throw new InvalidSignatureTextError(
      `${showValue(text, 120)} is a selector, which does not contain the types.`,
      {
        field,
        fix: 'Pass the signature, such as "buy(address,uint256)", or the whole call data: --data 0x….',
      },
    )
  if (/^\w+$/.test(signature)) throw wrong('has no parameter list')
  if (!/^[A-Za-z_$][\w$]*\s*\(/.test(signature)) throw wrong('is not a function signature')
  let item: ReturnType<typeof parseAbiItem<string>>
  try {
    item = parseAbiItem(`function ${signature}`)
  } catch (cause) {
    throw wrong(`does not parse${reasonOf(cause)}`, cause)
  }
  if (item.type !== 'function') throw wrong('is not a function signature')
  return item
}

function reasonOf(cause: unknown): string {
  const message = cause instanceof Error && 'shortMessage' in cause ? String(cause.shortMessage) : ''
  const details = cause instanceof Error && 'metaMessages' in cause ? cause.metaMessages : undefined
  const [first] = Array.isArray(details) ? details : []
  return typeof first === 'string' && message.length < 40 ? `: ${first.replace(/\.$/, '')}` : ''
}

/** A function signature does not parse. */
export class InvalidSignatureTextError extends BaseError {
  override readonly name = 'InvalidSignatureTextError'
}

/** Arguments do not match the signature. */
export class InvalidArgumentsError extends BaseError {
  override readonly name = 'InvalidArgumentsError'
}

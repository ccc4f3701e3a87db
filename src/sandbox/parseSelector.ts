import { type AbiFunction, type Hex, parseAbiItem, toFunctionSelector, toFunctionSignature } from 'viem'
import { attempt } from '../redeemkit/core/attempt.ts'
import { InvalidOptionError } from '../redeemkit/core/errors/inputErrors.ts'
import { describeType, showValue } from '../redeemkit/core/errors/showValue.ts'

/** Parses `0xcce7ec13`, `buy(address,uint256)` or `function buy(address to, uint256 price) returns (uint256)`. */
export function parseSelector(value: unknown, field: string): Hex {
  return parseFunction(value, field).selector
}

/** Like {@link parseSelector}, but also returns the function's signature, such as `buy(address,uint256)`, if it was given. */
export function parseFunction(value: unknown, field: string): { selector: Hex; signature?: string } {
  if (typeof value !== 'string')
    throw new InvalidOptionError(`${field} is ${describeType(value)}.`, { field, fix: selectorFix })
  if (!value.startsWith('0x')) {
    const item = parseSignature(value, field)
    return { selector: toFunctionSelector(item), signature: toFunctionSignature(item) }
  }
  if (!/^0x[0-9a-f]{8}$/i.test(value))
    throw new InvalidOptionError(`${showValue(value)} is not the 4 bytes of a function's selector.`, {
      field,
      fix: selectorFix,
    })
  // The value matched the pattern of 4 bytes in hex.
  return { selector: value.toLowerCase() as Hex }
}

const selectorFix = 'Pass 4 bytes as 0x-hex, or a signature such as "buy(address,uint256)".'
const fix =
  'Write it as in Solidity: "buy(address,uint256)". Write a struct as a tuple: "buy((address,uint256),bytes)".'

/** Parses a function signature in Solidity notation. Also accepts spaces before the parameter list, `tuple(…)` and a final semicolon. */
export function parseSignature(given: string, field: string): AbiFunction {
  const text = given
    .trim()
    .replace(/;$/, '')
    .replace(/^((?:function\s+)?[\w$]+)\s+\(/, '$1(')
    .replace(/\btuple\s*\(/g, '(')
  const wrong = (at: number, what: string) =>
    new InvalidOptionError(
      `${showValue(text)} is not a function signature: ${what} at character ${at + 1}${at < text.length ? `, ${showValue(text.slice(at, at + 20))}` : ', its end'}.`,
      { field, fix },
    )
  const [head = ''] = /^(?:function\s+)?/.exec(text) ?? []
  const [name = ''] = /^[a-zA-Z_$][\w$]*/.exec(text.slice(head.length)) ?? []
  const open = head.length + name.length
  if (name === '') throw wrong(open, 'the name of a function is missing')
  if (text[open] !== '(') throw wrong(open, '"(" is missing')
  const end = endOfList(text, open)
  if (end === undefined) throw wrong(text.length, '")" is missing')
  if (!/^\s*(?:$|[a-z])/.test(text.slice(end))) throw wrong(end, 'there is unexpected text')
  const list = text.slice(open, end).replaceAll(/\s*([(,])\s*|\s+(?=\))/g, '$1')
  const rest = text.slice(end).trim()
  // Typed as `string`, so that TypeScript does not parse the signature at compile time.
  const signature: string = `function ${name}${list}${rest && ` ${rest}`}`
  const item = attempt(() => parseAbiItem(signature))
  if (item?.type === 'function') return item
  const parameters = parametersOf(text, open, end)
  for (const { at, text: one } of parameters)
    if (
      (one === '' && parameters.length > 1) ||
      !attempt(() => parseAbiItem<string>(`function ${name}(${one})`))
    )
      throw wrong(at, 'there is no type')
  throw wrong(end, 'there is unexpected text')
}

/** Returns undefined if the parenthesis is not closed. */
function endOfList(text: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return at + 1
  }
  return undefined
}

/** A tuple is one parameter. */
function parametersOf(text: string, open: number, end: number): { at: number; text: string }[] {
  const parameters: { at: number; text: string }[] = []
  let depth = 0
  let from = open + 1
  for (let at = open + 1; at < end; at++) {
    if (text[at] === '(') depth++
    if ((text[at] === ',' && depth === 0) || at === end - 1) {
      const given = text.slice(from, at)
      const shift = given.length - given.trimStart().length
      parameters.push({ at: from + shift, text: given.trim() })
      from = at + 1
    }
    if (text[at] === ')') depth--
  }
  return parameters
}

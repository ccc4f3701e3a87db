import type { RuleContext } from '../rules/rule.ts'
import { codeBelow } from './codeBelow.ts'
import { instructionsIn, opcodes } from './opcodesIn.ts'

/**
 * Whether a contract asks how much gas there is for more than to pass it on: what it does can then depend on it. Taken for granted
 * where there are too many contracts to be read.
 *
 * @throws ChainReadError
 */
export async function looksAtGas(context: RuleContext): Promise<boolean> {
  const codes = await codeBelow(context)
  return (
    codes?.some(({ code }) => {
      const found = instructionsIn(code)
      // A compiler asks for all of it just before it makes a call.
      return found.some((opcode, place) => opcode === opcodes.gas && !calls.has(found[place + 1] ?? 0))
    }) ?? true
  )
}

const calls: ReadonlySet<number> = new Set([
  opcodes.call,
  opcodes.callCode,
  opcodes.delegateCall,
  opcodes.staticCall,
])

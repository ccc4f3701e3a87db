import type { Abi, Hex } from 'viem'
import { toFunctionSignature } from 'viem'
import { abiIndex } from './abiIndex.ts'
import { type DescribedValue, describeValues, valuesText } from './describeValues.ts'

/** What call data says. */
export type DescribedCall = {
  name: string
  /** `buy(address,uint256)` */
  signature: string
  /** `undefined` when the bytes after the selector are not such arguments. */
  args: readonly DescribedValue[] | undefined
  /** `buy(address receiver = 0x…, uint256 price = 10000000)`, on one line. */
  text: string
}

/**
 * Names the function of call data and its arguments. Of two functions with one selector it takes the one whose arguments the
 * bytes are; the ABIs that are given go before the known ones.
 *
 * @returns `undefined` when nobody knows the selector
 */
export function describeCall(data: Hex, abis: readonly Abi[] = []): DescribedCall | undefined {
  // a selector is what the first four bytes are
  const selector = data.slice(0, 10).toLowerCase() as Hex
  const candidates = selector.length < 10 ? [] : (abiIndex(abis).functions.get(selector) ?? [])
  for (const item of candidates) {
    const args = describeValues(item.inputs, data.slice(10))
    if (args !== undefined)
      return {
        name: item.name,
        signature: toFunctionSignature(item),
        args,
        text: `${item.name}(${valuesText(args)})`,
      }
  }
  const [first] = candidates
  if (first === undefined) return undefined
  const signature = toFunctionSignature(first)
  const text = `${signature} with data that does not fit`
  return { name: first.name, signature, args: undefined, text }
}

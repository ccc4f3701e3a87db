import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  type Hex,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { formatAbiItem } from 'viem/utils'
import { knownAbi } from './knownAbi.ts'

/** An `error` of an ABI. */
export type AbiError = Extract<Abi[number], { type: 'error' }>

/** Items of ABIs by what stands in the bytes: the selector, or the first topic. The first of a list has precedence. */
export type AbiIndex = {
  functions: ReadonlyMap<Hex, readonly AbiFunction[]>
  errors: ReadonlyMap<Hex, readonly AbiError[]>
  events: ReadonlyMap<Hex, readonly AbiEvent[]>
}

/**
 * The items of these ABIs, then the known ones. Items that are no ABI's are left out: whoever has such a file still gets the
 * rest of it.
 */
export function abiIndex(abis: readonly Abi[]): AbiIndex {
  const found = indexes.get(abis)
  if (found !== undefined) return found
  const index = {
    functions: new Map<Hex, AbiFunction[]>(),
    errors: new Map<Hex, AbiError[]>(),
    events: new Map<Hex, AbiEvent[]>(),
  }
  const seen = new Set<string>()
  for (const abi of [...abis, knownAbi]) for (const item of abi) addItem(index, item, seen)
  indexes.set(abis, index)
  return index
}

/** By the very list that was given: one report asks for hundreds of names. */
const indexes = new WeakMap<readonly Abi[], AbiIndex>()

function addItem(
  index: { functions: Map<Hex, AbiFunction[]>; errors: Map<Hex, AbiError[]>; events: Map<Hex, AbiEvent[]> },
  item: Abi[number],
  seen: Set<string>,
): void {
  if (item.type !== 'function' && item.type !== 'error' && item.type !== 'event') return
  // What Solidity and Vyper allow as a name. A file may hold anything.
  if (!/^[\w$]+$/.test(item.name)) return
  try {
    const text = `${item.type} ${formatAbiItem(item, { includeName: true })}`
    if (seen.has(text) && item.type !== 'event') return
    seen.add(text)
    if (item.type === 'function') push(index.functions, toFunctionSelector(item), item)
    // An error has the selector of a function of the same name and inputs.
    else if (item.type === 'error')
      push(
        index.errors,
        toFunctionSelector({ ...item, type: 'function', outputs: [], stateMutability: 'view' }),
        item,
      )
    else if (item.anonymous !== true) push(index.events, toEventSelector(item), item)
  } catch {
    // Types that are none: the item has no selector.
  }
}

function push<item>(map: Map<Hex, item[]>, key: Hex, item: item): void {
  const items = map.get(key)
  if (items === undefined) map.set(key, [item])
  else items.push(item)
}

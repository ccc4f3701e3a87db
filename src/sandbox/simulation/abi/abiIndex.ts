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

export type AbiError = Extract<Abi[number], { type: 'error' }>

/** ABI items by selector or by first topic. Earlier items take precedence. */
export type AbiIndex = {
  functions: ReadonlyMap<Hex, readonly AbiFunction[]>
  errors: ReadonlyMap<Hex, readonly AbiError[]>
  events: ReadonlyMap<Hex, readonly AbiEvent[]>
}

/** Indexes the given ABIs, then the known ones. Skips malformed items, so that the rest of a broken file is usable. */
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

/** Indexes by list object, because one report looks up hundreds of names. */
const indexes = new WeakMap<readonly Abi[], AbiIndex>()

function addItem(
  index: { functions: Map<Hex, AbiFunction[]>; errors: Map<Hex, AbiError[]>; events: Map<Hex, AbiEvent[]> },
  item: Abi[number],
  seen: Set<string>,
): void {
  if (item.type !== 'function' && item.type !== 'error' && item.type !== 'event') return
  const { text, selector } = keyOf(item)
  if (selector === undefined || (seen.has(text) && item.type !== 'event')) return
  seen.add(text)
  if (item.type === 'function') push(index.functions, selector, item)
  else if (item.type === 'error') push(index.errors, selector, item)
  else if (item.anonymous !== true) push(index.events, selector, item)
}

type Key = {
  /** Text of the item. A second item with the same text is ignored. */
  text: string
  selector: Hex | undefined
}

function keyOf(item: AbiFunction | AbiError | AbiEvent): Key {
  const known = keys.get(item)
  if (known !== undefined) return known
  const key = makeKey(item)
  keys.set(item, key)
  return key
}

/** Keys by item. Each item is hashed once, even if several lists contain it. */
const keys = new WeakMap<Abi[number], Key>()

function makeKey(item: AbiFunction | AbiError | AbiEvent): Key {
  // Only names that Solidity and Vyper allow: a file may contain anything.
  if (!/^[\w$]+$/.test(item.name)) return { text: '', selector: undefined }
  try {
    const text = `${item.type} ${formatAbiItem(item, { includeName: true })}`
    if (item.type === 'event') return { text, selector: toEventSelector(item) }
    // The selector of an error is that of a function with the same name and inputs.
    const called =
      item.type === 'function'
        ? item
        : ({ ...item, type: 'function', outputs: [], stateMutability: 'view' } as const)
    return { text, selector: toFunctionSelector(called) }
  } catch {
    // The item has invalid types, so it has no selector.
    return { text: '', selector: undefined }
  }
}

function push<item>(map: Map<Hex, item[]>, key: Hex, item: item): void {
  const items = map.get(key)
  if (items === undefined) map.set(key, [item])
  else items.push(item)
}

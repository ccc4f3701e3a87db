import type { Abi, AbiEvent, Hex } from 'viem'
import { abiIndex } from './abiIndex.ts'
import { type DescribedValue, describeValue, describeValues, valuesText } from './describeValues.ts'

/** What a log says. */
export type DescribedLog = {
  name: string
  args: readonly DescribedValue[]
  /** `Transfer(address from = 0x…, address to = 0x…, uint256 tokenId = 1)`, on one line. */
  text: string
}

/**
 * Names the event of a log and its values. A text or a list that is indexed is only there as its hash.
 *
 * @returns `undefined` when no ABI has an event that the log can be
 */
export function describeLog(
  log: { topics: readonly Hex[]; data: Hex },
  abis: readonly Abi[] = [],
): DescribedLog | undefined {
  const [first, ...topics] = log.topics
  if (first === undefined) return undefined
  // topics come in either case
  const candidates = abiIndex(abis).events.get(first.toLowerCase() as Hex) ?? []
  for (const item of candidates) {
    const args = argsOf(item, topics, log.data)
    if (args !== undefined) return { name: item.name, args, text: `${item.name}(${valuesText(args)})` }
  }
  return undefined
}

function argsOf(item: AbiEvent, topics: readonly Hex[], data: Hex): DescribedValue[] | undefined {
  const rest = describeValues(
    item.inputs.filter(({ indexed }) => indexed !== true),
    data.slice(2),
  )
  if (rest === undefined || item.inputs.filter(({ indexed }) => indexed).length !== topics.length)
    return undefined
  const left = [...topics]
  const args: DescribedValue[] = []
  for (const input of item.inputs) {
    const value = input.indexed ? topicValue(input, left.shift() ?? '0x') : rest.shift()
    if (value === undefined) return undefined
    args.push(value)
  }
  return args
}

function topicValue(input: AbiEvent['inputs'][number], topic: Hex): DescribedValue | undefined {
  if (/^(string|bytes|tuple)$|\]$/.test(input.type)) {
    const { name, text } = describeValue({ ...input, type: 'bytes32' }, topic)
    return { name, type: input.type, value: topic, text: `the text or list of hash ${text}` }
  }
  return describeValues([input], topic.slice(2))?.[0]
}

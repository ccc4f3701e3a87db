import type { Commitment, Node } from '../openNode.ts'
import type { Config } from './params.ts'
import { badParams } from './params.ts'
import { RpcAnswerError } from './rpcAnswerError.ts'

/** JSON-RPC methods by name. */
export type Methods = Record<string, (params: readonly unknown[]) => unknown>

/** An answer with the slot for which it holds. */
export function inContext<value>(node: Node, config: Config, value: value) {
  return { context: { slot: viewOf(node, config).slot, apiVersion: '3.0.0' }, value }
}

/** The chain as the asked commitment has it; an error while that is behind the slot that was asked for. */
export function viewOf(node: Node, config: Config, field = 'commitment') {
  const view = node.at(commitmentOf(config[field]))
  const { minContextSlot } = config
  if (minContextSlot === undefined || minContextSlot === null) return view
  if (typeof minContextSlot !== 'number' || !Number.isSafeInteger(minContextSlot) || minContextSlot < 0)
    throw badParams('minContextSlot')
  if (minContextSlot > view.slot)
    throw new RpcAnswerError(-32016, 'Minimum context slot has not been reached', { contextSlot: view.slot })
  return view
}

/** Takes a commitment; a node goes by what is final unless another is named. */
export function commitmentOf(value: unknown): Commitment {
  if (value === undefined || value === null) return 'finalized'
  if (value === 'processed' || value === 'confirmed' || value === 'finalized') return value
  throw badParams(`unknown variant \`${value}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\``)
}

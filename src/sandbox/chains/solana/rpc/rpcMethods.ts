import type { Node } from '../openNode.ts'
import { accountMethods } from './accountMethods.ts'
import { chainMethods } from './chainMethods.ts'
import type { Methods } from './methods.ts'
import { transactionMethods } from './transactionMethods.ts'

/** The JSON-RPC methods that a `Connection` calls, in the shapes of the node's own answers. */
export function rpcMethods(node: Node): Methods {
  return { ...chainMethods(node), ...accountMethods(node), ...transactionMethods(node) }
}

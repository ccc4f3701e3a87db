import { Address, xdr } from '@stellar/stellar-sdk'
import type { Call } from './authorizer.ts'

/** An authorized call in its tree, and whether it has been made. */
export type CallNode = Call & { children: CallNode[]; isUsed: boolean }

/** The creation of a contract as a call that somebody authorizes. */
export function creationCall(creation: xdr.CreateContractArgsV2): Call {
  return { contract: '', functionName: '', args: [creation.toXDR('base64')] }
}

/** Whether two calls are of the same function with the same arguments. */
export function isSameCall(a: Call, b: Call): boolean {
  return a.contract === b.contract && a.functionName === b.functionName && a.args.join() === b.args.join()
}

/** Reads a tree of authorized calls. */
export function parseCallTree(invocation: xdr.SorobanAuthorizedInvocation): CallNode {
  const children = invocation.subInvocations().map(parseCallTree)
  const authorized = invocation.function()
  if (authorized.switch().name === 'sorobanAuthorizedFunctionTypeCreateContractV2HostFn')
    return { ...creationCall(authorized.createContractV2HostFn()), children, isUsed: false }
  if (authorized.switch().name !== 'sorobanAuthorizedFunctionTypeContractFn')
    return { contract: '', functionName: '', args: [], children, isUsed: true }
  const call = authorized.contractFn()
  return {
    contract: Address.fromScAddress(call.contractAddress()).toString(),
    functionName: call.functionName().toString(),
    args: call.args().map((arg) => arg.toXDR('base64')),
    children,
    isUsed: false,
  }
}

/** Writes a tree of calls. */
export function formatCallTree(node: CallNode): xdr.SorobanAuthorizedInvocation {
  const [creation] = node.args
  return new xdr.SorobanAuthorizedInvocation({
    function:
      node.contract === '' && creation !== undefined
        ? xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(
            xdr.CreateContractArgsV2.fromXDR(creation, 'base64'),
          )
        : xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
            new xdr.InvokeContractArgs({
              contractAddress: Address.fromString(node.contract).toScAddress(),
              functionName: node.functionName,
              args: node.args.map((arg) => xdr.ScVal.fromXDR(arg, 'base64')),
            }),
          ),
    subInvocations: node.children.map(formatCallTree),
  })
}

/** The innermost call of a stack that is covered already. */
export function lastMatch(stack: readonly (CallNode | undefined)[]): CallNode | undefined {
  return stack.filter((node) => node !== undefined).at(-1)
}

import { createPublicKey, verify } from 'node:crypto'
import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, StrKey, xdr } from '../../../../redeemkit/stellar/sdk.ts'

/** Arguments are base64 XDR. */
export type Call = { contract: string; functionName: string; args: readonly string[] }

export type Authorizer = {
  enter: () => void
  leave: () => void
  /** Returns the ledger keys of the nonces that this call consumed. */
  require: (address: string, frames: readonly Call[]) => readonly Xdr.LedgerKey[]
  /** Returns the authorization entries that the call needed (recording) or was given (enforcing). */
  entries: () => Xdr.SorobanAuthorizationEntry[]
}

export type CallNode = Call & { children: CallNode[]; isUsed: boolean }

export function isSameCall(a: Call, b: Call): boolean {
  return a.contract === b.contract && a.functionName === b.functionName && a.args.join() === b.args.join()
}

export function parseCallTree(invocation: Xdr.SorobanAuthorizedInvocation): CallNode {
  const children = invocation.subInvocations().map(parseCallTree)
  const authorized = invocation.function()
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

export function formatCallTree(node: CallNode): Xdr.SorobanAuthorizedInvocation {
  return new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      new xdr.InvokeContractArgs({
        contractAddress: Address.fromString(node.contract).toScAddress(),
        functionName: node.functionName,
        args: node.args.map((arg) => xdr.ScVal.fromXDR(arg, 'base64')),
      }),
    ),
    subInvocations: node.children.map(formatCallTree),
  })
}

/** Returns the innermost authorized call of a stack. */
export function lastMatch(stack: readonly (CallNode | undefined)[]): CallNode | undefined {
  return stack.filter((node) => node !== undefined).at(-1)
}

/** Unlike the SDK, the network's nodes use cofactorless verification, which rejects some signatures that the SDK accepts. */
export function isSignedStrictly(address: string, digest: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  const x = Buffer.from(StrKey.decodeEd25519PublicKey(address)).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, digest, key, signature)
}

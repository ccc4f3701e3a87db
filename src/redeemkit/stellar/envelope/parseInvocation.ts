import { Address, type xdr } from '@stellar/stellar-sdk'

/** An authorized call with the calls inside it, reduced to text that can be compared. */
export type Invocation = {
  /** `C…`; empty when a contract would be created. */
  contract: string
  functionName: string
  /** Base64 XDR of each argument. */
  args: readonly string[]
  subInvocations: readonly Invocation[]
}

/** Reads an authorized call out of XDR. */
export function parseInvocation(authorized: xdr.SorobanAuthorizedInvocation): Invocation {
  const authorizedFunction = authorized.function()
  const { name } = authorizedFunction.switch()
  const call =
    name === 'sorobanAuthorizedFunctionTypeContractFn'
      ? parseCall(authorizedFunction.contractFn())
      : { contract: '', functionName: name, args: [] }
  return { ...call, subInvocations: authorized.subInvocations().map(parseInvocation) }
}

/** Reads a call out of XDR. */
export function parseCall(call: xdr.InvokeContractArgs): Invocation {
  return {
    contract: Address.fromScAddress(call.contractAddress()).toString(),
    functionName: call.functionName().toString(),
    args: call.args().map((arg) => arg.toXDR('base64')),
    subInvocations: [],
  }
}

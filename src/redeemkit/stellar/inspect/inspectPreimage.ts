import { networkIdOf } from '../envelope/networkIdOf.ts'
import type { AuthPreimage } from '../envelope/parseAuthEntry.ts'
import { parseInvocation } from '../envelope/parseInvocation.ts'
import { compare, type InspectedAuthorization, type InspectionContext } from './context.ts'
import { compareAuthorization } from './inspectAuthEntry.ts'

/** The preimage of an authorization's signature. One that names no account is the wallet's that is asked. */
export function inspectPreimage(
  { preimage, address: named }: AuthPreimage,
  context: InspectionContext,
): InspectedAuthorization {
  const { address, network } = context
  const isRight = preimage.networkId().equals(networkIdOf(network))
  compare(context, 'WRONG_NETWORK', 'networkId', 'another', network.name, isRight)
  // A delegate is asked to sign for another account's authorization.
  compare(context, 'WRONG_ACCOUNT', 'preimage.address', named ?? address, address)
  const invocation = parseInvocation(preimage.invocation())
  const validUntilLedger = preimage.signatureExpirationLedger()
  return compareAuthorization({ address, isSigned: false, validUntilLedger, invocation }, context)
}

import type { xdr } from '@stellar/stellar-sdk'
import { networkIdOf } from '../envelope/networkIdOf.ts'
import { parseInvocation } from '../envelope/parseInvocation.ts'
import { compare, type InspectedAuthorization, type InspectionContext } from './context.ts'
import { compareAuthorization } from './inspectAuthEntry.ts'

/** The preimage of an authorization's signature, which names no account: it is the wallet's that is asked. */
export function inspectPreimage(
  preimage: xdr.HashIdPreimageSorobanAuthorization,
  context: InspectionContext,
): InspectedAuthorization {
  const { address, network } = context
  const isRight = preimage.networkId().equals(networkIdOf(network))
  compare(context, 'WRONG_NETWORK', 'networkId', 'another', network.name, isRight)
  const invocation = parseInvocation(preimage.invocation())
  const validUntilLedger = preimage.signatureExpirationLedger()
  return compareAuthorization({ address, isSigned: false, validUntilLedger, invocation }, context)
}

import { Address, hash, xdr } from '@stellar/stellar-sdk'
import { asBuffer } from '../encoding/asBuffer.ts'
import { expectedInvocation, type Invocation, parseInvocation } from '../transaction/expected.ts'
import { isEntrySigned } from '../transaction/isEntrySigned.ts'
import { parseAuthEntry } from '../transaction/parseTransaction.ts'
import {
  addDanger,
  compare,
  type InspectedAuthorization,
  type InspectionContext,
  type InspectionResult,
  warnUncompared,
} from './context.ts'

/** An authorization entry, or the preimage of its signature. */
export function inspectAuthEntry(entryXdr: string, context: InspectionContext): InspectionResult {
  const entry = parseAuthEntry(entryXdr)
  warnUncompared(context)
  const authorization = inspectEntry(entry, context.address, context)
  return [
    'stellarAuthorization',
    `Authorize ${describeCall(authorization.invocation)} for ${authorization.address}.`,
    { authorizations: [authorization] },
  ]
}

/** One authorization: whose, until when, for which calls. */
export function inspectEntry(
  entry: xdr.SorobanAuthorizationEntry | xdr.HashIdPreimageSorobanAuthorization,
  source: string,
  context: InspectionContext,
): InspectedAuthorization {
  const { expected, network, latestLedger } = context
  const networkId = hash(asBuffer(new TextEncoder().encode(network.networkPassphrase)))
  let authorization: InspectedAuthorization
  if (entry instanceof xdr.HashIdPreimageSorobanAuthorization) {
    if (!entry.networkId().equals(networkId))
      addDanger(context, 'WRONG_NETWORK', `The authorization is not for ${network.name}.`, 'networkId')
    const invocation = parseInvocation(entry.invocation())
    const validUntilLedger = entry.signatureExpirationLedger()
    authorization = { address: source, isSigned: false, validUntilLedger, invocation }
  } else {
    const invocation = parseInvocation(entry.rootInvocation())
    const credentials = entry.credentials()
    if (credentials.switch().name === 'sorobanCredentialsSourceAccount')
      authorization = { address: source, isSigned: false, invocation }
    else {
      const holder = credentials.address()
      const address = Address.fromScAddress(holder.address()).toString()
      const validUntilLedger = holder.signatureExpirationLedger()
      const isSigned = holder.signature().switch().name !== 'scvVoid'
      authorization = { address, isSigned, validUntilLedger, invocation }
      if (isSigned && !isEntrySigned(entry, address, network))
        addDanger(
          context,
          'FOREIGN_SIGNATURE',
          `The authorization is not signed by ${address} for ${network.name}.`,
          'auth',
        )
    }
  }
  const { address, validUntilLedger, invocation } = authorization
  if (latestLedger !== undefined && validUntilLedger) {
    if (validUntilLedger <= latestLedger)
      addDanger(context, 'EXPIRED', `The authorization ended at ledger ${validUntilLedger}.`, 'auth')
    // A ledger closes about every 5 seconds.
    if (validUntilLedger > latestLedger + (context.maxValidForSeconds ?? 3600) / 5)
      addDanger(
        context,
        'LONG_TIME_LIMIT',
        `The authorization is good until ledger ${validUntilLedger}.`,
        'auth',
      )
  }
  if (expected !== undefined) {
    compare(context, 'WRONG_ACCOUNT', 'auth.address', address, expected.from)
    const wanted = expectedInvocation(expected, network)
    compareCall(invocation, wanted, 'auth', context)
    const { length } = wanted.subInvocations
    if (invocation.subInvocations.length !== length)
      addDanger(
        context,
        'SUB_INVOCATION',
        `It authorizes ${invocation.subInvocations.length} calls inside the call, expected ${length}.`,
        'auth',
      )
    invocation.subInvocations.forEach((inner, index) => {
      const wantedInner = wanted.subInvocations[index]
      if (wantedInner !== undefined) compareCall(inner, wantedInner, 'auth.subInvocations', context)
      if (inner.subInvocations.length > 0)
        addDanger(context, 'SUB_INVOCATION', `It authorizes calls inside ${describeCall(inner)}.`, 'auth')
    })
  }
  return authorization
}

/** Holds one call, without the calls inside it, against the expected one. */
export function compareCall(
  actual: Invocation,
  expected: Invocation,
  field: string,
  context: InspectionContext,
): void {
  compare(context, 'WRONG_CONTRACT', `${field}.contract`, actual.contract, expected.contract)
  compare(context, 'WRONG_FUNCTION', `${field}.functionName`, actual.functionName, expected.functionName)
  compare(context, 'WRONG_ARGUMENTS', `${field}.args`, actual.args.join(), expected.args.join())
}

/** A call in words. */
export function describeCall({ contract, functionName, args }: Invocation): string {
  return `${functionName} of ${contract} with ${args.length} arguments`
}

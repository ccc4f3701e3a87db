import { Address, hash, scValToBigInt, xdr } from '@stellar/stellar-sdk'
import { asBuffer } from '../encoding/asBuffer.ts'
import { type Invocation, parseInvocation } from '../transaction/expected.ts'
import { isEntrySigned } from '../transaction/isEntrySigned.ts'
import { parseAuthEntry } from '../transaction/parseTransaction.ts'
import {
  compare,
  type InspectedAuthorization,
  type InspectionContext,
  type InspectionResult,
  warnUncompared,
} from './context.ts'

/** An authorization entry, or the preimage of its signature. */
export function inspectAuthEntry(entryXdr: string, context: InspectionContext): InspectionResult {
  warnUncompared(context)
  const authorization = inspectEntry(parseAuthEntry(entryXdr), context.address, context)
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
  const authorization = parseEntry(entry, source, context)
  const { expected, latestLedger, wanted } = context
  const { address, validUntilLedger: end, invocation, isSigned } = authorization
  if (end !== undefined && latestLedger === undefined)
    context.findings.push({
      severity: 'warning',
      code: 'END_NOT_JUDGED',
      message: `The authorization is good until ledger ${end}, whenever that is.`,
      field: 'auth.lastLedger',
      fix: 'Give latestLedger: the time bounds of a transaction do not end an authorization.',
    })
  // Before it is signed it may have no end yet: 0.
  if (end !== undefined && (end !== 0 || isSigned) && latestLedger !== undefined) {
    // A ledger closes about every 5 seconds.
    const limit = latestLedger + Math.ceil((context.maxValidForSeconds ?? 3600) / 5)
    compare(context, 'EXPIRED', 'auth.lastLedger', end, `after ${latestLedger}`, end > latestLedger)
    compare(context, 'LONG_TIME_LIMIT', 'auth.lastLedger', end, `at most ${limit}`, end <= limit)
  }
  if (expected !== undefined && wanted !== undefined) {
    compare(context, 'WRONG_ACCOUNT', 'auth.address', address, expected.from)
    compareTree(invocation, wanted, 'auth', context)
  }
  return authorization
}

function parseEntry(
  entry: xdr.SorobanAuthorizationEntry | xdr.HashIdPreimageSorobanAuthorization,
  source: string,
  context: InspectionContext,
): InspectedAuthorization {
  const { network } = context
  if (entry instanceof xdr.HashIdPreimageSorobanAuthorization) {
    const networkId = hash(asBuffer(new TextEncoder().encode(network.networkPassphrase)))
    const isRight = entry.networkId().equals(networkId)
    compare(context, 'WRONG_NETWORK', 'networkId', 'another', network.name, isRight)
    return {
      address: source,
      isSigned: false,
      validUntilLedger: entry.signatureExpirationLedger(),
      invocation: parseInvocation(entry.invocation()),
    }
  }
  const invocation = parseInvocation(entry.rootInvocation())
  const credentials = entry.credentials()
  if (credentials.switch().name === 'sorobanCredentialsSourceAccount')
    return { address: source, isSigned: false, invocation }
  const holder = credentials.address()
  const address = Address.fromScAddress(holder.address()).toString()
  const isSigned = holder.signature().switch().name !== 'scvVoid'
  if (isSigned)
    compare(
      context,
      'FOREIGN_SIGNATURE',
      'auth.signature',
      'another key, content or network',
      `${address} on ${network.name}`,
      isEntrySigned(entry, address, network),
    )
  return { address, isSigned, validUntilLedger: holder.signatureExpirationLedger(), invocation }
}

function compareTree(
  actual: Invocation,
  wanted: Invocation,
  field: string,
  context: InspectionContext,
): void {
  compareCall(actual, wanted, field, context)
  const inner = actual.subInvocations
  compare(context, 'SUB_INVOCATION', `${field}.calls`, inner.length, wanted.subInvocations.length)
  inner.forEach((call, index) => {
    const wantedCall = wanted.subInvocations[index]
    if (wantedCall !== undefined) compareTree(call, wantedCall, `${field}.calls[${index}]`, context)
  })
}

/** Holds one call, without the calls inside it, against the expected one. */
export function compareCall(
  actual: Invocation,
  wanted: Invocation,
  field: string,
  context: InspectionContext,
): void {
  const isTransfer = wanted.contract === context.network.usdc.contract && wanted.functionName === 'transfer'
  const contractCode = isTransfer ? 'WRONG_ASSET' : 'WRONG_CONTRACT'
  compare(context, contractCode, `${field}.contract`, actual.contract, wanted.contract)
  compare(context, 'WRONG_FUNCTION', `${field}.functionName`, actual.functionName, wanted.functionName)
  const [actualArgs, wantedArgs] = [actual.args, wanted.args].map((args) => args.map(describeArgument))
  if (isTransfer && actual.args.length === 3)
    for (const [index, name, code] of transferArguments)
      compare(
        context,
        code,
        `${field}.${name}`,
        actualArgs?.[index],
        wantedArgs?.[index],
        actual.args[index] === wanted.args[index],
      )
  else
    compare(
      context,
      'WRONG_ARGUMENTS',
      `${field}.args`,
      actualArgs,
      wantedArgs,
      actual.args.join() === wanted.args.join(),
    )
}

const transferArguments = [
  [0, 'from', 'WRONG_ACCOUNT'],
  [1, 'to', 'WRONG_ACCOUNT'],
  [2, 'amount', 'WRONG_AMOUNT'],
] as const

/** An argument in words; its XDR when it is none of a transfer's. */
function describeArgument(arg: string): string {
  const value = xdr.ScVal.fromXDR(arg, 'base64')
  const type = value.switch().name
  if (type === 'scvAddress') return Address.fromScVal(value).toString()
  return type === 'scvI128' ? scValToBigInt(value).toString() : arg
}

/** A call in words. */
export function describeCall({ contract, functionName, args }: Invocation): string {
  return `${functionName} of ${contract} with ${args.length} arguments`
}

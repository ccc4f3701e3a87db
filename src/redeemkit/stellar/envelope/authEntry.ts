import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { attempt } from '../../core/attempt.ts'
import { parseBase64 } from '../../core/base64.ts'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import type { StellarNetwork } from '../networks.ts'
import { Address, hash, xdr } from '../sdk.ts'
import { isSignedBy } from '../signer/askWallet.ts'
import { asBuffer } from '../values.ts'
import { checkSdkReads, networkIdOf } from './envelope.ts'

type AuthEntry = Xdr.SorobanAuthorizationEntry | AuthPreimage

/** The preimage of an authorization's signature. The CAP-71 variant also contains the address. */
export type AuthPreimage = {
  preimage: Xdr.HashIdPreimageSorobanAuthorization
  address: string | undefined
}

/** Reads base64 XDR of an authorization entry, or of the preimage of its signature, as wallets receive it. */
export function parseAuthEntry(entryXdr: string): AuthEntry {
  parseBase64(entryXdr, 'authEntry')
  for (const type of [xdr.SorobanAuthorizationEntry, xdr.HashIdPreimage]) {
    try {
      const parsed = type.fromXDR(entryXdr, 'base64')
      if (parsed.toXDR('base64') !== entryXdr) continue
      return parsed instanceof xdr.HashIdPreimage ? readPreimage(parsed) : parsed
    } catch (cause) {
      // If the SDK is too old for CAP-71, throw an error that says so. Otherwise the text is not of this type.
      // Transactions are excluded, because their first bytes match those of CAP-71 credentials.
      if (!xdr.TransactionEnvelope.validateXDR(entryXdr, 'base64')) checkSdkReads(cause, 'authEntry')
    }
  }
  throw new InvalidTransactionError('The base64 text is not a Soroban authorization entry.', {
    field: 'authEntry',
    fix: 'Pass the XDR of a whole SorobanAuthorizationEntry or HashIdPreimage.',
  })
}

function readPreimage(parsed: Xdr.HashIdPreimage): AuthPreimage {
  const name: string = parsed.switch().name
  if (name !== 'envelopeTypeSorobanAuthorizationWithAddress')
    return { preimage: parsed.sorobanAuthorization(), address: undefined }
  // SDK 16 supports the CAP-71 variant, which has an additional address. SDK 15 has no types for it.
  const preimage = parsed.value() as Xdr.HashIdPreimageSorobanAuthorization & { address: () => Xdr.ScAddress }
  return { preimage, address: Address.fromScAddress(preimage.address()).toString() }
}

/** An authorized call and its sub-invocations, as comparable text. */
export type Invocation = {
  /** `C…`; empty if the call would create a contract. */
  contract: string
  functionName: string
  /** Base64 XDR of each argument. */
  args: readonly string[]
  subInvocations: readonly Invocation[]
}

export function parseInvocation(authorized: Xdr.SorobanAuthorizedInvocation): Invocation {
  const authorizedFunction = authorized.function()
  const { name } = authorizedFunction.switch()
  const call =
    name === 'sorobanAuthorizedFunctionTypeContractFn'
      ? parseCall(authorizedFunction.contractFn())
      : { contract: '', functionName: name, args: [] }
  return { ...call, subInvocations: authorized.subInvocations().map(parseInvocation) }
}

export function parseCall(call: Xdr.InvokeContractArgs): Invocation {
  return {
    contract: Address.fromScAddress(call.contractAddress()).toString(),
    functionName: call.functionName().toString(),
    args: call.args().map((arg) => arg.toXDR('base64')),
    subInvocations: [],
  }
}

export type AddressCredentials = {
  holder: Xdr.SorobanAddressCredentials
  /** Whether the signed bytes contain the address (CAP-71). */
  namesAddress: boolean
  /** Delegates that sign for a contract account, including nested delegates (CAP-71). */
  delegates: readonly string[]
}

/** CAP-71 credentials as SDK 16 returns them. SDK 15 cannot read them and has no types for them. */
type LaterCredentials = {
  addressV2: () => Xdr.SorobanAddressCredentials
  addressWithDelegates: () => {
    addressCredentials: () => Xdr.SorobanAddressCredentials
    delegates: () => readonly Delegate[]
  }
}
type Delegate = { address: () => Xdr.ScAddress; nestedDelegates: () => readonly Delegate[] }

/** Returns the credentials of an authorization entry; undefined if the signature of the transaction's source authorizes the call. */
export function addressCredentialsOf(entry: Xdr.SorobanAuthorizationEntry): AddressCredentials | undefined {
  const credentials = entry.credentials()
  // The SDK's types lack the union arms of CAP-71. Each arm is read only if the discriminant names it.
  const later = credentials as unknown as LaterCredentials
  const name: string = credentials.switch().name
  if (name === 'sorobanCredentialsSourceAccount') return undefined
  if (name === 'sorobanCredentialsAddress')
    return { holder: credentials.address(), namesAddress: false, delegates: [] }
  if (name === 'sorobanCredentialsAddressV2')
    return { holder: later.addressV2(), namesAddress: true, delegates: [] }
  if (name === 'sorobanCredentialsAddressWithDelegates') {
    const both = later.addressWithDelegates()
    return {
      holder: both.addressCredentials(),
      namesAddress: true,
      delegates: both.delegates().flatMap(namesOf),
    }
  }
  throw new InvalidTransactionError(`The authorization has unknown credentials (${name}).`, {
    field: 'authEntry',
    fix: 'Do not sign it. Check for a newer version of this package.',
  })
}

const namesOf = (delegate: Delegate): string[] => [
  Address.fromScAddress(delegate.address()).toString(),
  ...delegate.nestedDelegates().flatMap(namesOf),
]

/** Whether an entry contains exactly one signature, made by its address over its preimage. */
export function isEntrySigned(
  entry: Xdr.SorobanAuthorizationEntry,
  address: string,
  network: StellarNetwork,
): boolean {
  try {
    const credentials = addressCredentialsOf(entry)
    const [signature, ...more] = credentials?.holder.signature().vec() ?? []
    const [key, bytes, ...rest] = signature?.map() ?? []
    // The network accepts only this layout, with the fields in this order.
    return (
      credentials !== undefined &&
      more.length === 0 &&
      rest.length === 0 &&
      key?.key().sym().toString() === 'public_key' &&
      bytes?.key().sym().toString() === 'signature' &&
      key.val().bytes().equals(Address.fromString(address).toBuffer()) &&
      isSignedBy(address, hash(asBuffer(preimageOf(entry, credentials, network))), bytes.val().bytes())
    )
  } catch {
    return false
  }
}

/** Signers sign the hash of the preimage. */
export function preimageOf(
  entry: Xdr.SorobanAuthorizationEntry,
  { holder, namesAddress }: AddressCredentials,
  network: Pick<StellarNetwork, 'networkPassphrase'>,
): Uint8Array {
  const bytes = xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
    new xdr.HashIdPreimageSorobanAuthorization({
      networkId: networkIdOf(network),
      nonce: holder.nonce(),
      signatureExpirationLedger: holder.signatureExpirationLedger(),
      invocation: entry.rootInvocation(),
    }),
  ).toXDR()
  if (!namesAddress) return bytes
  // CAP-71's preimage has type 10, and the address follows the expiry, which ends at byte 48.
  const [head, calls] = [bytes.subarray(4, 48), bytes.subarray(48)]
  return Uint8Array.from([0, 0, 0, 10, ...head, ...holder.address().toXDR(), ...calls])
}

/** Some wallets return a complete authorization entry instead of the signature alone. */
export function findEntrySignature(text: string): Uint8Array | undefined {
  return attempt(() => {
    const entry = xdr.SorobanAuthorizationEntry.fromXDR(text, 'base64')
    const [signature] = addressCredentialsOf(entry)?.holder.signature().vec() ?? []
    return signature?.map()?.[1]?.val().bytes()
  })
}

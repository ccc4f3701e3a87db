import { Address, hash, xdr } from '@stellar/stellar-sdk'
import { readContractData, writeContractData } from '../entries/contractData.ts'
import { isSignedStrictly } from '../entries/isSignedStrictly.ts'
import { contractDataLedgerKey } from '../entries/ledgerKeys.ts'
import { type AccountState, type LedgerState, maxEntryTtl } from '../entries/state.ts'
import { HostError } from './hostError.ts'

/**
 * Checks the signature of an authorization entry, its last ledger and its nonce, and uses the nonce up.
 *
 * @throws {@link HostError}
 */
export function takeNonce(
  entry: xdr.SorobanAuthorizationEntry,
  options: { state: LedgerState; networkPassphrase: string; sequence: number },
): xdr.LedgerKey {
  const holder = entry.credentials().address()
  const address = Address.fromScAddress(holder.address()).toString()
  const account = options.state.accounts.get(address)
  if (account === undefined) throw authError(`${address} is no account; contract accounts are not simulated`)
  const lastLedger = holder.signatureExpirationLedger()
  if (lastLedger < options.sequence) throw authError(`signature expired at ledger ${lastLedger}`)
  if (lastLedger > options.sequence + maxEntryTtl - 1)
    throw authError('signature expiration is too far ahead')

  const weight = signedWeight(entry, account, digestOf(entry, options.networkPassphrase))
  if (weight === 0 || weight < account.thresholds.medium) throw authError(`too little weight for ${address}`)

  const key = nonceLedgerKey(address, holder.nonce().toBigInt())
  const { state, sequence } = options
  if (readContractData(state, key, sequence) !== undefined) throw authError('the nonce was used before')
  writeContractData(state, key, xdr.ScVal.scvVoid(), { sequence, liveUntil: lastLedger })
  return key
}

/** What the signature of an entry signs. */
function digestOf(entry: xdr.SorobanAuthorizationEntry, networkPassphrase: string): Buffer {
  const holder = entry.credentials().address()
  return hash(
    xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
      new xdr.HashIdPreimageSorobanAuthorization({
        networkId: hash(Buffer.from(networkPassphrase)),
        nonce: holder.nonce(),
        signatureExpirationLedger: holder.signatureExpirationLedger(),
        invocation: entry.rootInvocation(),
      }),
    ).toXDR(),
  )
}

/** The weight that the signatures of an entry have on the account; each must be good, and they must be ordered. */
function signedWeight(entry: xdr.SorobanAuthorizationEntry, account: AccountState, digest: Buffer): number {
  const holder = entry.credentials().address()
  let weight = 0
  let previous: Buffer | undefined
  if (holder.signature().switch().name !== 'scvVec') throw authError(`no signature of ${account.address}`)
  for (const signed of holder.signature().vec() ?? []) {
    const fields = signed.switch().name === 'scvMap' ? (signed.map() ?? []) : []
    const [first, second] = fields.map((field) => field.val())
    const names = fields.map((field) => field.key().sym().toString()).join()
    if (first === undefined || second === undefined || names !== 'public_key,signature')
      throw authError('the signature has another layout')
    const key = first.bytes()
    if (previous !== undefined && Buffer.compare(previous, key) >= 0)
      throw authError('the signatures are not ordered')
    previous = key
    const signer = Address.account(key).toString()
    if (!isSignedStrictly(signer, digest, second.bytes())) throw authError(`bad signature of ${signer}`)
    weight += signer === account.address ? account.masterWeight : (account.signers.get(signer) ?? 0)
  }
  return weight
}

/** The ledger key of a nonce that an authorization uses up. */
export function nonceLedgerKey(address: string, nonce: bigint): xdr.LedgerKey {
  const key = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce: new xdr.Int64(nonce) }))
  return contractDataLedgerKey(address, key, 'temporary')
}

function authError(message: string): HostError {
  return new HostError(`HostError: Error(Auth, InvalidAction): ${message}`)
}

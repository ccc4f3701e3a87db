import { Address, Asset, encodeMuxedAccountToAddress, extractBaseAddress, xdr } from '@stellar/stellar-sdk'
import {
  type AccountState,
  availableBalance,
  baseReserve,
  createAccount,
  type LedgerState,
  trustlineKey,
} from '../entries/state.ts'

/** What one operation came to. */
export type OperationOutcome = { ok: boolean; result: xdr.OperationResult }

const int64Max = (1n << 63n) - 1n

/** The signing weight class that an operation needs of its source. */
export function thresholdOf(operation: xdr.Operation): 'low' | 'medium' | 'high' {
  const type = operation.body().switch().name
  if (type === 'bumpSequence') return 'low'
  if (type !== 'setOptions') return 'medium'
  const options = operation.body().setOptionsOp()
  const isHigh = [
    options.masterWeight(),
    options.lowThreshold(),
    options.medThreshold(),
    options.highThreshold(),
    options.signer(),
  ].some((value) => value !== null && value !== undefined)
  return isHigh ? 'high' : 'medium'
}

/** The address of an account that may be muxed, without its id. */
export function baseAddress(account: xdr.MuxedAccount): string {
  return extractBaseAddress(encodeMuxedAccountToAddress(account, true))
}

/** Applies one classic operation to a state. Contract calls are not for here. */
export function applyOperation(
  state: LedgerState,
  operation: xdr.Operation,
  source: AccountState,
  sequence: number,
): OperationOutcome {
  const body = operation.body()
  switch (body.switch().name) {
    case 'createAccount':
      return applyCreateAccount(state, body.createAccountOp(), source, sequence)
    case 'payment':
      return applyPayment(state, body.paymentOp(), source)
    case 'changeTrust':
      return applyChangeTrust(state, body.changeTrustOp(), source)
    case 'setOptions':
      return applySetOptions(body.setOptionsOp(), source)
    case 'manageData':
      return applyManageData(body.manageDataOp(), source)
    case 'bumpSequence': {
      const to = body.bumpSequenceOp().bumpTo().toBigInt()
      if (to > source.sequence) source.sequence = to
      return done(xdr.OperationResultTr.bumpSequence(xdr.BumpSequenceResult.bumpSequenceSuccess()))
    }
    default:
      return { ok: false, result: xdr.OperationResult.opNotSupported() }
  }
}

function done(result: xdr.OperationResultTr, ok = true): OperationOutcome {
  return { ok, result: xdr.OperationResult.opInner(result) }
}

function applyCreateAccount(
  state: LedgerState,
  operation: xdr.CreateAccountOp,
  source: AccountState,
  sequence: number,
): OperationOutcome {
  const fail = (result: xdr.CreateAccountResult) => done(xdr.OperationResultTr.createAccount(result), false)
  const address = Address.account(operation.destination().ed25519()).toString()
  const balance = operation.startingBalance().toBigInt()
  if (balance < 0n) return fail(xdr.CreateAccountResult.createAccountMalformed())
  if (state.accounts.has(address)) return fail(xdr.CreateAccountResult.createAccountAlreadyExist())
  if (balance < 2n * baseReserve) return fail(xdr.CreateAccountResult.createAccountLowReserve())
  if (availableBalance(source) < balance) return fail(xdr.CreateAccountResult.createAccountUnderfunded())
  source.balance -= balance
  state.accounts.set(address, createAccount(address, balance, BigInt(sequence) << 32n))
  return done(xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()))
}

function applyPayment(state: LedgerState, operation: xdr.PaymentOp, source: AccountState): OperationOutcome {
  const fail = (result: xdr.PaymentResult) => done(xdr.OperationResultTr.payment(result), false)
  const to = baseAddress(operation.destination())
  const amount = operation.amount().toBigInt()
  if (amount <= 0n) return fail(xdr.PaymentResult.paymentMalformed())
  const receiver = state.accounts.get(to)
  if (receiver === undefined) return fail(xdr.PaymentResult.paymentNoDestination())
  const asset = Asset.fromOperation(operation.asset())
  if (asset.isNative()) {
    if (availableBalance(source) < amount) return fail(xdr.PaymentResult.paymentUnderfunded())
    source.balance -= amount
    receiver.balance += amount
  } else {
    const name = asset.toString()
    // The issuer has no trustline: what it sends is made, what it gets is gone.
    if (to !== asset.getIssuer()) {
      const line = state.trustlines.get(trustlineKey(to, name))
      if (line === undefined) return fail(xdr.PaymentResult.paymentNoTrust())
      if (!line.authorized) return fail(xdr.PaymentResult.paymentNotAuthorized())
      if (line.balance + amount > line.limit && to !== source.address)
        return fail(xdr.PaymentResult.paymentLineFull())
    }
    if (source.address !== asset.getIssuer()) {
      const line = state.trustlines.get(trustlineKey(source.address, name))
      if (line === undefined) return fail(xdr.PaymentResult.paymentSrcNoTrust())
      if (!line.authorized) return fail(xdr.PaymentResult.paymentSrcNotAuthorized())
      if (line.balance < amount) return fail(xdr.PaymentResult.paymentUnderfunded())
      line.balance -= amount
    }
    const line = state.trustlines.get(trustlineKey(to, name))
    if (line !== undefined && to !== asset.getIssuer()) line.balance += amount
  }
  return done(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess()))
}

function applyChangeTrust(
  state: LedgerState,
  operation: xdr.ChangeTrustOp,
  source: AccountState,
): OperationOutcome {
  const fail = (result: xdr.ChangeTrustResult) => done(xdr.OperationResultTr.changeTrust(result), false)
  const line = operation.line()
  if (!line.switch().name.startsWith('assetTypeCredit'))
    return { ok: false, result: xdr.OperationResult.opNotSupported() }
  // A line that is neither native nor a pool has the layout of an asset.
  const asset = Asset.fromOperation(xdr.Asset.fromXDR(line.toXDR()))
  const limit = operation.limit().toBigInt()
  if (limit < 0n) return fail(xdr.ChangeTrustResult.changeTrustMalformed())
  if (asset.getIssuer() === source.address) return fail(xdr.ChangeTrustResult.changeTrustSelfNotAllowed())
  const key = trustlineKey(source.address, asset.toString())
  const existing = state.trustlines.get(key)
  if (existing !== undefined) {
    if (limit < existing.balance || (limit === 0n && existing.balance > 0n))
      return fail(xdr.ChangeTrustResult.changeTrustInvalidLimit())
    if (limit === 0n) {
      state.trustlines.delete(key)
      source.subEntries -= 1
    } else existing.limit = limit
  } else {
    if (limit === 0n) return fail(xdr.ChangeTrustResult.changeTrustInvalidLimit())
    if (!state.accounts.has(asset.getIssuer())) return fail(xdr.ChangeTrustResult.changeTrustNoIssuer())
    if (availableBalance(source) < baseReserve) return fail(xdr.ChangeTrustResult.changeTrustLowReserve())
    state.trustlines.set(key, { balance: 0n, limit: limit > int64Max ? int64Max : limit, authorized: true })
    source.subEntries += 1
  }
  return done(xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustSuccess()))
}

function applySetOptions(operation: xdr.SetOptionsOp, source: AccountState): OperationOutcome {
  const fail = (result: xdr.SetOptionsResult) => done(xdr.OperationResultTr.setOptions(result), false)
  const weights = [
    operation.masterWeight(),
    operation.lowThreshold(),
    operation.medThreshold(),
    operation.highThreshold(),
  ].map((value) => value ?? undefined)
  if (weights.some((weight) => weight !== undefined && weight > 255))
    return fail(xdr.SetOptionsResult.setOptionsThresholdOutOfRange())
  const [master, low, medium, high] = weights
  if (master !== undefined) source.masterWeight = master
  if (low !== undefined) source.thresholds.low = low
  if (medium !== undefined) source.thresholds.medium = medium
  if (high !== undefined) source.thresholds.high = high
  const domain = operation.homeDomain()
  if (domain !== null && domain !== undefined) source.homeDomain = domain.toString()
  const signer = operation.signer()
  if (signer !== null && signer !== undefined) {
    if (signer.key().switch().name !== 'signerKeyTypeEd25519' || signer.weight() > 255)
      return fail(xdr.SetOptionsResult.setOptionsBadSigner())
    const address = Address.account(signer.key().ed25519()).toString()
    if (address === source.address) return fail(xdr.SetOptionsResult.setOptionsBadSigner())
    const isKnown = source.signers.has(address)
    if (signer.weight() === 0) {
      if (source.signers.delete(address)) source.subEntries -= 1
    } else {
      if (!isKnown && availableBalance(source) < baseReserve)
        return fail(xdr.SetOptionsResult.setOptionsLowReserve())
      if (!isKnown) source.subEntries += 1
      source.signers.set(address, signer.weight())
    }
  }
  return done(xdr.OperationResultTr.setOptions(xdr.SetOptionsResult.setOptionsSuccess()))
}

function applyManageData(operation: xdr.ManageDataOp, source: AccountState): OperationOutcome {
  const fail = (result: xdr.ManageDataResult) => done(xdr.OperationResultTr.manageData(result), false)
  const name = operation.dataName().toString()
  const value = operation.dataValue()
  if (value === null || value === undefined) {
    if (!source.data.delete(name)) return fail(xdr.ManageDataResult.manageDataNameNotFound())
    source.subEntries -= 1
  } else {
    if (!source.data.has(name)) {
      if (availableBalance(source) < baseReserve) return fail(xdr.ManageDataResult.manageDataLowReserve())
      source.subEntries += 1
    }
    source.data.set(name, value.toString('hex'))
  }
  return done(xdr.OperationResultTr.manageData(xdr.ManageDataResult.manageDataSuccess()))
}

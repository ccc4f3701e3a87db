import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, Asset, xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { baseAddress } from './parseEnvelope.ts'
import {
  type AccountState,
  availableBalance,
  baseReserve,
  createAccount,
  type LedgerState,
  outsideSponsor,
  type TrustlineState,
  trustlineKey,
} from './state.ts'

export type OperationOutcome = { ok: boolean; result: Xdr.OperationResult }

type OperationContext = {
  state: LedgerState
  source: AccountState
  /** Number of the closing ledger. */
  sequence: number
  /** The account that currently sponsors the reserves of an account's new entries (CAP-33), by sponsored account. */
  sponsorships: Map<string, string>
}

export function outcomeOf(result: Xdr.OperationResultTr, ok: boolean): OperationOutcome {
  return { ok, result: xdr.OperationResult.opInner(result) }
}

function notSupported(): OperationOutcome {
  return { ok: false, result: xdr.OperationResult.opNotSupported() }
}

export function applyOperation(operation: Xdr.Operation, context: OperationContext): OperationOutcome {
  const body = operation.body()
  switch (body.switch().name) {
    case 'createAccount':
      return applyCreateAccount(body.createAccountOp(), context)
    case 'payment':
      return applyPayment(body.paymentOp(), context)
    case 'changeTrust':
      return applyChangeTrust(body.changeTrustOp(), context)
    case 'beginSponsoringFutureReserves':
      return applyBeginSponsoring(body.beginSponsoringFutureReservesOp(), context)
    case 'endSponsoringFutureReserves':
      return applyEndSponsoring(context)
    default:
      return notSupported()
  }
}

/** With sponsored reserves, the account needs no XLM (CAP-33). */
function applyCreateAccount(
  operation: Xdr.CreateAccountOp,
  { state, source, sequence, sponsorships }: OperationContext,
): OperationOutcome {
  const fail = (result: Xdr.CreateAccountResult) =>
    outcomeOf(xdr.OperationResultTr.createAccount(result), false)
  const address = Address.account(operation.destination().ed25519()).toString()
  const balance = operation.startingBalance().toBigInt()
  const reserve = 2n * baseReserve
  const sponsor = sponsorships.get(address)
  if (balance < 0n) return fail(xdr.CreateAccountResult.createAccountMalformed())
  if (state.accounts.has(address)) return fail(xdr.CreateAccountResult.createAccountAlreadyExist())
  const account = createAccount(address, balance, BigInt(sequence) << 32n)
  if (sponsor === undefined) {
    if (balance < reserve) return fail(xdr.CreateAccountResult.createAccountLowReserve())
  } else {
    const keeper = state.accounts.get(sponsor)
    if (keeper === undefined || availableBalance(keeper) < reserve)
      return fail(xdr.CreateAccountResult.createAccountLowReserve())
    keeper.sponsoring += 2
    account.sponsored = 2
  }
  if (availableBalance(source) < balance) return fail(xdr.CreateAccountResult.createAccountUnderfunded())
  source.balance -= balance
  state.accounts.set(address, account)
  return outcomeOf(xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()), true)
}

function applyPayment(operation: Xdr.PaymentOp, context: OperationContext): OperationOutcome {
  const { state, source } = context
  const receiver = state.accounts.get(baseAddress(operation.destination()))
  const amount = operation.amount().toBigInt()
  const asset = Asset.fromOperation(operation.asset())
  const failure =
    amount <= 0n
      ? xdr.PaymentResult.paymentMalformed()
      : receiver === undefined
        ? xdr.PaymentResult.paymentNoDestination()
        : asset.isNative()
          ? payXlm(source, receiver, amount)
          : payAsset(context, { receiver, asset, amount })
  return outcomeOf(
    xdr.OperationResultTr.payment(failure ?? xdr.PaymentResult.paymentSuccess()),
    failure === undefined,
  )
}

function payXlm(source: AccountState, receiver: AccountState, amount: bigint): Xdr.PaymentResult | undefined {
  // A payment to oneself needs no balance (`PaymentOpFrame` of stellar-core).
  if (receiver === source) return undefined
  if (availableBalance(source) < amount) return xdr.PaymentResult.paymentUnderfunded()
  source.balance -= amount
  receiver.balance += amount
  return undefined
}

/** The issuer has no trustline: it mints the tokens it sends and burns those it receives. */
function payAsset(
  { state, source }: OperationContext,
  { receiver, asset, amount }: { receiver: AccountState; asset: Asset; amount: bigint },
): Xdr.PaymentResult | undefined {
  const lineOf = ({ address }: AccountState): TrustlineState | 'issuer' | 'none' =>
    address === asset.getIssuer()
      ? 'issuer'
      : (state.trustlines.get(trustlineKey(address, asset.toString())) ?? 'none')
  const [to, from] = [lineOf(receiver), lineOf(source)]
  if (to === 'none') return xdr.PaymentResult.paymentNoTrust()
  if (to !== 'issuer') {
    if (!to.authorized) return xdr.PaymentResult.paymentNotAuthorized()
    if (to.balance + amount > to.limit && to !== from) return xdr.PaymentResult.paymentLineFull()
  }
  if (from === 'none') return xdr.PaymentResult.paymentSrcNoTrust()
  if (from !== 'issuer') {
    if (!from.authorized) return xdr.PaymentResult.paymentSrcNotAuthorized()
    if (from.balance < amount) return xdr.PaymentResult.paymentUnderfunded()
    from.balance -= amount
  }
  if (to !== 'issuer') to.balance += amount
  return undefined
}

function applyChangeTrust(operation: Xdr.ChangeTrustOp, context: OperationContext): OperationOutcome {
  const { source } = context
  const fail = (result: Xdr.ChangeTrustResult) => outcomeOf(xdr.OperationResultTr.changeTrust(result), false)
  const line = operation.line()
  if (!line.switch().name.startsWith('assetTypeCredit')) return notSupported()
  // A line other than native or a pool has the layout of an asset.
  const asset = Asset.fromOperation(xdr.Asset.fromXDR(line.toXDR()))
  const limit = operation.limit().toBigInt()
  if (limit < 0n) return fail(xdr.ChangeTrustResult.changeTrustMalformed())
  if (asset.getIssuer() === source.address) return fail(xdr.ChangeTrustResult.changeTrustSelfNotAllowed())
  const key = trustlineKey(source.address, asset.toString())
  const existing = context.state.trustlines.get(key)
  const failure =
    existing === undefined
      ? addTrustline(context, { key, asset, limit })
      : changeTrustline(context, { key, existing, limit })
  if (failure !== undefined) return fail(failure)
  return outcomeOf(xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustSuccess()), true)
}

function addTrustline(
  context: OperationContext,
  { key, asset, limit }: { key: string; asset: Asset; limit: bigint },
): Xdr.ChangeTrustResult | undefined {
  const { state, source } = context
  if (limit === 0n) return xdr.ChangeTrustResult.changeTrustInvalidLimit()
  if (!state.accounts.has(asset.getIssuer())) return xdr.ChangeTrustResult.changeTrustNoIssuer()
  const kept = keepReserve(context, source)
  if (kept === 'tooLittle') return xdr.ChangeTrustResult.changeTrustLowReserve()
  state.trustlines.set(key, { balance: 0n, limit, authorized: true, sponsor: kept.sponsor })
  return undefined
}

function changeTrustline(
  context: OperationContext,
  { key, existing, limit }: { key: string; existing: TrustlineState; limit: bigint },
): Xdr.ChangeTrustResult | undefined {
  if (limit < existing.balance) return xdr.ChangeTrustResult.changeTrustInvalidLimit()
  if (limit > 0n) {
    existing.limit = limit
    return undefined
  }
  context.state.trustlines.delete(key)
  releaseReserve(context, context.source, existing.sponsor)
  return undefined
}

/** Sponsors the reserves of another account's new entries (CAP-33). */
function applyBeginSponsoring(
  operation: Xdr.BeginSponsoringFutureReservesOp,
  { source, sponsorships }: OperationContext,
): OperationOutcome {
  const results = xdr.BeginSponsoringFutureReservesResult
  const end = (result: Xdr.BeginSponsoringFutureReservesResult, ok = false) =>
    outcomeOf(xdr.OperationResultTr.beginSponsoringFutureReserves(result), ok)
  const sponsored = Address.account(operation.sponsoredId().ed25519()).toString()
  if (sponsored === source.address) return end(results.beginSponsoringFutureReservesMalformed())
  if (sponsorships.has(sponsored)) return end(results.beginSponsoringFutureReservesAlreadySponsored())
  // A sponsored account cannot sponsor.
  if (sponsorships.has(source.address) || [...sponsorships.values()].includes(sponsored))
    return end(results.beginSponsoringFutureReservesRecursive())
  sponsorships.set(sponsored, source.address)
  return end(results.beginSponsoringFutureReservesSuccess(), true)
}

function applyEndSponsoring({ source, sponsorships }: OperationContext): OperationOutcome {
  const isSponsored = sponsorships.delete(source.address)
  return outcomeOf(
    xdr.OperationResultTr.endSponsoringFutureReserves(
      isSponsored
        ? xdr.EndSponsoringFutureReservesResult.endSponsoringFutureReservesSuccess()
        : xdr.EndSponsoringFutureReservesResult.endSponsoringFutureReservesNotSponsored(),
    ),
    isSponsored,
  )
}

/**
 * Reserves XLM of the account's current sponsor or, without one, of the account itself. Returns the sponsor, or `tooLittle` if the balance
 * is insufficient.
 */
function keepReserve(
  { state, sponsorships }: OperationContext,
  owner: AccountState,
): { sponsor: string | undefined } | 'tooLittle' {
  const sponsor = sponsorships.get(owner.address)
  const keeper = sponsor === undefined ? owner : state.accounts.get(sponsor)
  if (keeper === undefined || availableBalance(keeper) < baseReserve) return 'tooLittle'
  owner.subEntries += 1
  if (sponsor !== undefined) {
    owner.sponsored += 1
    keeper.sponsoring += 1
  }
  return { sponsor }
}

function releaseReserve({ state }: OperationContext, owner: AccountState, sponsor: string | undefined): void {
  owner.subEntries -= 1
  if (sponsor === undefined) return
  owner.sponsored -= 1
  const keeper = sponsor === outsideSponsor ? undefined : state.accounts.get(sponsor)
  if (keeper !== undefined) keeper.sponsoring -= 1
}

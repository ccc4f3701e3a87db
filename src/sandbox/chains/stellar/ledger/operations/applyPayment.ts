import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Asset, xdr } from '../../../../../redeemkit/stellar/sdk.ts'
import {
  type AccountState,
  availableBalance,
  type TrustlineState,
  trustlineKey,
} from '../../entries/state.ts'
import { baseAddress } from '../parseEnvelope.ts'
import { type OperationContext, type OperationOutcome, outcomeOf } from './sponsorship.ts'

/** Pays XLM or an asset from one account to another. */
export function applyPayment(operation: Xdr.PaymentOp, context: OperationContext): OperationOutcome {
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

/** The issuer has no trustline: it mints what it sends and burns what it receives. */
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

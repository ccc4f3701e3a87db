import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Asset, xdr } from '../../../../../redeemkit/stellar/sdk.ts'
import { type TrustlineState, trustlineKey } from '../../entries/state.ts'
import {
  keepReserve,
  notSupported,
  type OperationContext,
  type OperationOutcome,
  outcomeOf,
  releaseReserve,
} from './sponsorship.ts'

const authorizationRequired = 1

export function applyChangeTrust(operation: Xdr.ChangeTrustOp, context: OperationContext): OperationOutcome {
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
  const issuer = state.accounts.get(asset.getIssuer())
  if (issuer === undefined) return xdr.ChangeTrustResult.changeTrustNoIssuer()
  const kept = keepReserve(context, source)
  if (kept === 'tooLittle') return xdr.ChangeTrustResult.changeTrustLowReserve()
  const authorized = (issuer.flags & authorizationRequired) === 0
  state.trustlines.set(key, { balance: 0n, limit, authorized, sponsor: kept.sponsor })
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

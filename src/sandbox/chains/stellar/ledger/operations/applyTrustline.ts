import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, Asset, xdr } from '../../../../../redeemkit/stellar/sdk.ts'
import { type TrustlineState, trustlineKey } from '../../entries/state.ts'
import {
  keepReserve,
  notSupported,
  type OperationContext,
  type OperationOutcome,
  outcomeOf,
  releaseReserve,
} from './sponsorship.ts'

const authorizedFlag = 1
const authorizationRequired = 1
const authorizationRevocable = 2

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

/** The issuer authorizes a trustline or revokes its authorization. */
export function applySetTrustLineFlags(
  operation: Xdr.SetTrustLineFlagsOp,
  { state, source }: OperationContext,
): OperationOutcome {
  const end = (result: Xdr.SetTrustLineFlagsResult, ok = false) =>
    outcomeOf(xdr.OperationResultTr.setTrustLineFlags(result), ok)
  const asset = Asset.fromOperation(operation.asset())
  const [sets, clears] = [operation.setFlags(), operation.clearFlags()]
  if (asset.isNative() || asset.getIssuer() !== source.address || (sets & clears) !== 0)
    return end(xdr.SetTrustLineFlagsResult.setTrustLineFlagsMalformed())
  // Clawback and maintained liabilities are not simulated.
  if (((sets | clears) & ~authorizedFlag) !== 0) return notSupported()
  const address = Address.account(operation.trustor().ed25519()).toString()
  const line = state.trustlines.get(trustlineKey(address, asset.toString()))
  if (line === undefined) return end(xdr.SetTrustLineFlagsResult.setTrustLineFlagsNoTrustLine())
  if (clears !== 0 && (source.flags & authorizationRevocable) === 0)
    return end(xdr.SetTrustLineFlagsResult.setTrustLineFlagsCantRevoke())
  if (sets !== 0) line.authorized = true
  if (clears !== 0) line.authorized = false
  return end(xdr.SetTrustLineFlagsResult.setTrustLineFlagsSuccess(), true)
}

import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { Address, xdr } from '../../../../../redeemkit/stellar/sdk.ts'
import {
  keepReserve,
  type OperationContext,
  type OperationOutcome,
  outcomeOf,
  releaseReserve,
} from './sponsorship.ts'

const allFlags = 15

/** Changes the source's flags, weights, thresholds, home domain and signers. */
export function applySetOptions(operation: Xdr.SetOptionsOp, context: OperationContext): OperationOutcome {
  const { source } = context
  const fail = (result: Xdr.SetOptionsResult) => outcomeOf(xdr.OperationResultTr.setOptions(result), false)
  const weights = [
    operation.masterWeight(),
    operation.lowThreshold(),
    operation.medThreshold(),
    operation.highThreshold(),
  ].map((value) => value ?? undefined)
  if (weights.some((weight) => weight !== undefined && weight > 255))
    return fail(xdr.SetOptionsResult.setOptionsThresholdOutOfRange())
  const [sets, clears] = [operation.setFlags() ?? 0, operation.clearFlags() ?? 0]
  if (((sets | clears) & ~allFlags) !== 0) return fail(xdr.SetOptionsResult.setOptionsUnknownFlag())
  if ((sets & clears) !== 0) return fail(xdr.SetOptionsResult.setOptionsBadFlags())
  source.flags = (source.flags | sets) & ~clears
  const [master, low, medium, high] = weights
  if (master !== undefined) source.masterWeight = master
  if (low !== undefined) source.thresholds.low = low
  if (medium !== undefined) source.thresholds.medium = medium
  if (high !== undefined) source.thresholds.high = high
  const domain = operation.homeDomain()
  if (domain !== null && domain !== undefined) source.homeDomain = domain.toString()
  const signer = operation.signer()
  const failure = signer === null || signer === undefined ? undefined : setSigner(signer, context)
  if (failure !== undefined) return fail(failure)
  return outcomeOf(xdr.OperationResultTr.setOptions(xdr.SetOptionsResult.setOptionsSuccess()), true)
}

function setSigner(signer: Xdr.Signer, context: OperationContext): Xdr.SetOptionsResult | undefined {
  const { source } = context
  if (signer.key().switch().name !== 'signerKeyTypeEd25519' || signer.weight() > 255)
    return xdr.SetOptionsResult.setOptionsBadSigner()
  const address = Address.account(signer.key().ed25519()).toString()
  if (address === source.address) return xdr.SetOptionsResult.setOptionsBadSigner()
  const name = `signer/${address}`
  if (signer.weight() === 0) {
    if (!source.signers.delete(address)) return undefined
    releaseReserve(context, source, source.entrySponsors.get(name))
    source.entrySponsors.delete(name)
    return undefined
  }
  if (!source.signers.has(address)) {
    const kept = keepReserve(context, source)
    if (kept === 'tooLittle') return xdr.SetOptionsResult.setOptionsLowReserve()
    if (kept.sponsor !== undefined) source.entrySponsors.set(name, kept.sponsor)
  }
  source.signers.set(address, signer.weight())
  return undefined
}

import type { xdr } from '@stellar/stellar-sdk'

const lowOperations = ['bumpSequence', 'setTrustLineFlags']

/** The signing weight class that an operation needs of its source. */
export function thresholdOf(operation: xdr.Operation): 'low' | 'medium' | 'high' {
  const type = operation.body().switch().name
  if (lowOperations.includes(type)) return 'low'
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

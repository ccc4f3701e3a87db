import { BaseError } from '../core/errors/baseError.ts'
import type { OpenRedeemError } from './openRedeem.ts'

/**
 * Returns whether a failed redeem may still execute. If so, look it up, submit the same again, or call `redeem` again with the same
 * request and storage. Never sign another redeem for the same purchase.
 * @example
 * ```ts
 * import { type EvmClient, isOpenRedeemError, waitForRedeem } from 'redeemkit'
 * const afterwards = (publicClient: EvmClient, error: unknown) =>
 *   isOpenRedeemError(error) ? waitForRedeem(publicClient, error) : undefined
 * ```
 */
export function isOpenRedeemError(error: unknown): error is OpenRedeemError {
  return (
    error instanceof BaseError && 'remedy' in error && error.remedy === 'lookUp' && 'creditsContract' in error
  )
}

import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { UsdcAuthorizationType } from './usdcAuthorization.ts'

/** Takes one of the two types that move USDC. Throws {@link UnknownAuthorizationTypeError}. */
export function checkAuthorizationType(type: unknown): UsdcAuthorizationType {
  if (type === 'TransferWithAuthorization' || type === 'ReceiveWithAuthorization') return type
  throw new UnknownAuthorizationTypeError(`${showValue(type)} is not a type of USDC authorization.`, {
    field: 'type',
    fix: 'Use ReceiveWithAuthorization, which only the payee can execute, or TransferWithAuthorization.',
    docs: 'EIP-3009',
  })
}

/** A primary type that EIP-3009 does not have. */
export class UnknownAuthorizationTypeError extends BaseError {
  override readonly name = 'UnknownAuthorizationTypeError'
}

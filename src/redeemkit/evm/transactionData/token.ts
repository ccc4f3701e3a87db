import type { Address } from 'viem'
import type { Token } from '../../schema/transactionData.ts'
import { checkNonZeroAddress } from '../values/checkAddress.ts'
import { checkKeys } from '../values/checkKeys.ts'
import type { BuilderOptions } from './contractCall.ts'
import { finish } from './finish.ts'

/**
 * Shape `token`: pays the subtotal in USDC to an address (PROTOCOL.md 6).
 *
 * @param call.destination who gets it; never zero, USDC itself, or the credits contract
 * @throws InvalidAddressError, UnknownFieldError, MissingFieldError
 * @example
 * ```ts
 * import { token } from 'redeemkit/evm'
 * token({ destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 * ```
 */
export function token(call: token.Call, options: BuilderOptions = {}): Token {
  checkKeys(call, 'call', { required: ['destination'] })
  return finish({ type: 'token', destination: checkNonZeroAddress(call.destination, 'destination') }, options)
}

export declare namespace token {
  type Call = { destination: Address }
  type Options = BuilderOptions
  type ErrorType = finish.ErrorType
}

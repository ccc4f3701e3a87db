import type { Hex } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { PaymentNotSettledError } from './errors.ts'
import type { PaymentOutcome } from './outcomeOf.ts'

/**
 * Returns who receives the credits or the USDC of a payment on an EVM chain. The operator holds what stays in the merchant's wallet
 * at the service.
 *
 * @throws {@link PaymentNotSettledError} when nothing names the receiver, or it is not an address there
 */
export function receiverOf(chain: Pick<EvmChain, 'operator'>, outcome: PaymentOutcome): Hex {
  return outcome.kind === 'credits' || outcome.kind === 'usdc'
    ? addressOf(outcome.receiver, 'the receiver')
    : checkNonZeroAddress(chain.operator.address, 'operator')
}

/** @throws {@link PaymentNotSettledError} */
export function addressOf(text: string | null | undefined, what: string): Hex {
  if (text === null || text === undefined) throw new PaymentNotSettledError(`Nothing says who ${what} is.`)
  try {
    return checkNonZeroAddress(text, what)
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause
    throw new PaymentNotSettledError(
      `${JSON.stringify(text)} is no address on an EVM chain: it cannot be ${what}.`,
      { cause },
    )
  }
}

import { randomBytes } from 'node:crypto'
import { centsToAmount } from '../../../core/amount/centsToAmount.ts'
import { type UsdcAuthorizationMessage, usdcAuthorizationBody } from '../../../schema/usdcAuthorization.ts'
import { nextBlockTime } from '../../chains/anvil/state/nextBlockTime.ts'
import { checkCredentials, evmCustomer } from '../http/customer.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { endOfPermit } from '../redeem/endOfPermit.ts'
import { usdcAuthorizationAnswer } from '../redeem/usdcAuthorizationAnswer.ts'

/**
 * `POST /api/checkout/evm/usdc-authorization`: a USDC authorization for a checkout, to the contract that settles payments. It
 * asks for `ReceiveWithAuthorization` (unless set otherwise), which only that contract can execute.
 */
export const usdcAuthorization: Route = {
  method: 'POST',
  path: '/api/checkout/evm/usdc-authorization',
  handle: async (service, context): Promise<UsdcAuthorizationMessage> => {
    const body = await readBody(context, usdcAuthorizationBody)
    const { chain, wallet } = await evmCustomer(service, context)
    if (chain.usdc === undefined)
      throw problem('INVALID_REQUEST', `There is no USDC with authorizations on ${chain.blockchain}.`, {
        issues: [service.headers.blockchain],
      })
    if (chain.paymentSettlement === undefined)
      throw problem('INVALID_REQUEST', `This service settles no payments on ${chain.blockchain}.`, {
        issues: [service.headers.blockchain],
      })
    const value = centsToAmount(body.amount.cents, { field: 'amount.cents' })
    if (value === 0n)
      throw problem('INVALID_REQUEST', 'An authorization of nothing is not needed.', {
        issues: ['amount.cents'],
      })
    await checkCredentials(service, context)
    return usdcAuthorizationAnswer({
      chainId: chain.chainId,
      type: service.settings.usdcAuthorizationType,
      authorization: {
        from: wallet,
        to: chain.paymentSettlement,
        value,
        validAfter: 0n,
        validBefore: endOfPermit(service, await nextBlockTime(chain.client)),
        nonce: `0x${randomBytes(32).toString('hex')}`,
      },
    })
  },
}

import * as z from 'zod/mini'
import { blockchains } from '../../../redeemkit/core/blockchains.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { cents, subtotal } from '../../../redeemkit/schema/subtotal.ts'
import { transactionData } from '../../../redeemkit/schema/transactionData.ts'
import { gasPrice } from '../../relayer/gasPrice.ts'
import { simulateRedeem } from '../../simulation/simulateRedeem.ts'
import { evmChain } from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { gasFeeOf } from '../redeem/gasFee.ts'
import { resolveIntent } from '../redeem/resolveIntent.ts'
import { judged } from './judged.ts'
import { reportJson } from './reportJson.ts'

const body = z.strictObject({
  blockchain: z.enum(blockchains),
  wallet: z.string(),
  subtotal,
  transactionData,
  usdcAmount: z.optional(cents),
  rules: z.optional(z.enum(['economic', 'all'])),
})

/** `POST /sandbox/simulate`: what a redeem of the merchant's credits would do, that nobody has signed (PROTOCOL.md 2.10). */
export const simulate: Route = {
  method: 'POST',
  path: '/sandbox/simulate',
  handle: async (service, context) => {
    const { blockchain, rules, ...asked } = await readBody(context, body)
    const chain = evmChain(service, blockchain, 'blockchain')
    const wallet = checkNonZeroAddress(asked.wallet, 'wallet')
    const { amount, usdcAmount } = resolveIntent(chain, asked)
    const { creditSeed } = await authorizedMerchant(service, context)
    return reportJson(
      await judged(service, () =>
        simulateRedeem(chain.client, {
          creditsContract: chain.creditsContract,
          creditSeed,
          relayer: chain.operator.address,
          wallet,
          amount,
          usdcAmount,
          transactionData: asked.transactionData,
          rules,
          feeOf: async (gas) =>
            service.settings.gasFeePayer === 'customer' ? gasFeeOf(chain, gas, await gasPrice(chain)) : 0n,
        }),
      ),
    )
  },
}

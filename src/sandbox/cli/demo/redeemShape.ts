import { createPaymentsClient } from '../../../redeemkit/api/createPaymentsClient.ts'
import type { RedeemOutcome } from '../../../redeemkit/redeem/chain/lookUpRedeem.ts'
import { redeem } from '../../../redeemkit/redeem/redeem.ts'
import { check } from './demoPart.ts'
import type { DemoSandbox } from './demoSandbox.ts'
import type { payments, Shape } from './shapes.ts'

/**
 * Alice redeems one shape for 10 dollars, in one call.
 *
 * @param options.turn counts the redeems of this shape from 1
 */
export async function redeemShape(
  demo: DemoSandbox,
  options: { shape: Shape; payment: (typeof payments)[number]; turn: number },
): Promise<{ outcome: RedeemOutcome; gasUsed: bigint }> {
  const { sandbox, home } = demo
  const { shape, payment, turn } = options
  const client = createPaymentsClient({
    baseUrl: sandbox.url,
    merchantId: sandbox.merchantId,
    blockchain: 'base',
  })
  const { outcome } = await redeem(client, {
    signer: sandbox.people.alice.account,
    publicClient: home.client,
    pollingIntervalMs: 20,
    chainId: home.chainId,
    pinned: home.pinned,
    subtotal: { cents: 1000 },
    transactionData: await shape.transactionData(demo, turn),
    ...payment.options,
  })
  check(outcome !== undefined, 'the chain tells the outcome')
  const { gasUsed } = await home.client.getTransactionReceipt({ hash: outcome.hash })
  return { outcome, gasUsed }
}

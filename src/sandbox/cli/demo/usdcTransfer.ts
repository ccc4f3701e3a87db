import { createPaymentsClient } from '../../../redeemkit/api/createPaymentsClient.ts'
import { freeObject } from '../../../redeemkit/schema/values.ts'
import { check } from './demoPart.ts'
import type { DemoSandbox } from './demoSandbox.ts'

/** Alice's way to the service's own two routes for USDC on Solana and Stellar. */
export function usdcTransferOf(
  { sandbox }: DemoSandbox,
  customer: { blockchain: 'solana' | 'stellar'; wallet: string },
) {
  const { blockchain } = customer
  const client = createPaymentsClient({ ...customer, baseUrl: sandbox.url, merchantId: sandbox.merchantId })
  const post = (path: string, body: object) =>
    client.request({ method: 'POST', path, body, answer: freeObject, repeatable: false })
  return {
    /** What the service wants the customer to sign. */
    prepare: async (payment: {
      destination: string
      amount: { cents: number }
      paymentId?: string
      call?: { contract: string; functionName: string; args: readonly string[] }
    }) => {
      const answer = await post('/sandbox/usdc-transfer', { blockchain, ...payment })
      const { id, transaction, sponsor } = answer
      check(typeof id === 'string' && typeof transaction === 'string', 'the service answers a transaction')
      check(typeof sponsor === 'string' && sponsor !== customer.wallet, 'a sponsor pays the fee')
      return { id, transaction, sponsor, answer }
    },
    /** @returns the hash, once the transfer has landed */
    submit: async (signed: { id: string; transaction: string }): Promise<string> => {
      const { hash } = await post('/sandbox/usdc-transfer/submit', signed)
      check(typeof hash === 'string', 'the service answers a hash')
      return hash
    },
  }
}

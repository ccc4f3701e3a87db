import { createPaymentsClient } from '../../../redeemkit/api/createPaymentsClient.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { freeObject } from '../../../redeemkit/schema/values.ts'
import type { DemoSandbox } from './demoSandbox.ts'

/** One part of the demo: runs on the demo's sandbox, throws when a check fails, and prints afterwards. */
export type DemoPart = {
  title: string
  /** @returns what prints the result, once all parts are through */
  run: (demo: DemoSandbox, progress: (text: string) => void) => Promise<() => void>
}

/** Ends the demo: something is not as it says. */
class DemoError extends Error {
  override readonly name = 'DemoError'
}

/** Throws unless it is so. */
export function check(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new DemoError(`Not as it should be: ${what}`)
}

/**
 * What something ends with, in words for a table. Ends the demo when it goes through, or ends with another error.
 *
 * @param errorName the error's name; any error of ours when absent
 */
export async function refused(run: () => Promise<unknown>, errorName?: string): Promise<string> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const words = `${error.name}: ${error.shortMessage}`
    check(errorName === undefined || error.name === errorName, `it ends with ${errorName}, and not: ${words}`)
    return words
  }
  throw new Error('Not as it should be: it went through.')
}

/** As `refused`, and nothing was asked of the wallet. */
export async function refusedBeforePrompt(
  prompts: { count: number },
  run: () => Promise<unknown>,
  errorName?: string,
): Promise<string> {
  const before = prompts.count
  const why = await refused(run, errorName)
  check(prompts.count === before, 'the wallet is not asked')
  return why
}

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

import { createPaymentsClient, type PaymentsClient } from '../../../redeemkit/api/createPaymentsClient.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import type { AccountSigner } from '../../../redeemkit/evm/signer/toSigner.ts'
import { freeObject } from '../../../redeemkit/schema/values.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import type { DemoSandbox } from './demoSandbox.ts'
import { printTable, shortened } from './report.ts'

/** Runs on the demo's sandbox, and throws an error if a check fails. */
export type DemoPart = {
  title: string
  /** @returns a function that prints the result, which the demo calls after all parts have run */
  run: (demo: DemoSandbox, progress: (text: string) => void) => Promise<() => void>
}

class DemoError extends Error {
  override readonly name = 'DemoError'
}

export function check(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new DemoError(`Check failed: ${what}`)
}

/** Returns the error of a function that must fail, as text for a table. Without `errorName`, any redeemkit error is expected. */
export async function refused(run: () => Promise<unknown>, errorName?: string): Promise<string> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const message = `${error.name}: ${error.shortMessage}`
    check(errorName === undefined || error.name === errorName, `expected ${errorName}, but got: ${message}`)
    return message
  }
  throw new Error('Check failed: it should have been rejected, but it succeeded.')
}

/** Like `refused`, but also checks that the wallet was not prompted. */
export async function refusedBeforePrompt(
  prompts: readonly unknown[],
  run: () => Promise<unknown>,
  errorName?: string,
): Promise<string> {
  const before = prompts.length
  const why = await refused(run, errorName)
  check(prompts.length === before, 'the wallet was not prompted')
  return why
}

export type Refusal = [attack: string, rejectedBy: 'client' | 'service' | 'contract', why: string]

export function printRefusals(title: string, rows: readonly Refusal[], note: string): void {
  printTable(title, {
    head: ['rejected by', 'attack, with the reason below it'],
    rows: rows.map(([attack, rejectedBy, why]) => [rejectedBy, `${attack}\n${shortened(why)}`]),
    note,
  })
}

export function recordingSigner(own: AccountSigner) {
  const prompts: unknown[] = []
  const recorded = <prompt>(prompt: prompt) => {
    prompts.push(prompt)
    return prompt
  }
  const signer: AccountSigner = {
    ...own,
    signTypedData: (typedData) => own.signTypedData(recorded(typedData)),
    signMessage: (message) => own.signMessage(recorded(message)),
  }
  return { signer, prompts }
}

export function clientOf(
  { sandbox }: DemoSandbox<ServiceKind>,
  options: Omit<createPaymentsClient.Options, 'baseUrl' | 'merchantId'>,
): PaymentsClient {
  return createPaymentsClient({ ...options, baseUrl: sandbox.url, merchantId: sandbox.merchantId })
}

/** Alice's client for the two routes that prepare and submit a sponsored USDC transfer. */
export function usdcTransferOf(
  demo: DemoSandbox,
  customer: { blockchain: 'solana' | 'stellar'; wallet: string },
) {
  const { blockchain } = customer
  const client = clientOf(demo, customer)
  const post = (path: string, body: object) =>
    client.request({ method: 'POST', path, body, answer: freeObject, repeatable: false })
  return {
    prepare: async (payment: {
      destination: string
      amount: { cents: number }
      paymentId?: string
      call?: { contract: string; functionName: string; args: readonly string[] }
    }) => {
      const answer = await post('/sandbox/usdc-transfer', { blockchain, ...payment })
      const { id, transaction, sponsor } = answer
      check(typeof id === 'string' && typeof transaction === 'string', 'the service returns a transaction')
      check(typeof sponsor === 'string' && sponsor !== customer.wallet, 'a sponsor pays the fee')
      return { id, transaction, sponsor, answer }
    },
    /** @returns the hash of the confirmed transfer */
    submit: async (signed: { id: string; transaction: string }): Promise<string> => {
      const { hash } = await post('/sandbox/usdc-transfer/submit', signed)
      check(typeof hash === 'string', 'the service returns a hash')
      return hash
    },
  }
}

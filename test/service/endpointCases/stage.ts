import {
  type RunningSandbox,
  type SandboxChain,
  startSandbox,
  testCards,
} from '../../../src/sandbox/index.ts'
import { withoutProtection } from '../../../src/sandbox/service/service.fixture.ts'
import { type Caller, caller, customer } from '../sandboxClient.ts'

export type Stage = {
  sandbox: RunningSandbox
  base: SandboxChain
  service: Caller
  /** A value for each header, by its key in the table of calls. */
  headers: Record<string, { name: string; value: string }>
  /** Sends a preparing request with every header, and expects a 200. */
  make: (path: string, body: unknown) => Promise<Record<string, string>>
  card: () => Promise<string>
  /** A settled payment of 25 dollars. */
  settled: () => Promise<string>
  plan: (options?: { merchantInitiated: boolean }) => Promise<string>
  subscription: (planCode: string) => Promise<string>
}

export async function startStage(): Promise<Stage> {
  const sandbox = await startSandbox({ bridge: false, settings: withoutProtection })
  const service = caller(sandbox.app)
  const { merchantId, apiKey, accounts } = sandbox
  const wallet = accounts.alice.address
  const key = { authorization: apiKey }
  const userId = 'customer-1'
  const session = await service.get('/api/auth/session-key', { ...key, 'x-svc-auth-user-id': userId })
  const { body: challenge } = await service.get('/api/auth', customer(wallet))
  const headers: Stage['headers'] = {
    authorization: { name: 'authorization', value: apiKey },
    sessionKey: { name: 'x-svc-auth-session-key', value: session.body.key },
    wallet: { name: 'x-svc-auth-wallet', value: wallet },
    blockchain: { name: 'x-svc-auth-blockchain', value: 'base' },
    userId: { name: 'x-svc-auth-user-id', value: userId },
    merchantId: { name: 'x-svc-auth-merchant-id', value: merchantId },
    signedMessage: {
      name: 'x-svc-auth-signed-message',
      value: await accounts.alice.account.signMessage({ message: challenge.message }),
    },
    deviceId: { name: 'x-device-id', value: 'a-device' },
    clientIp: { name: 'x-svc-client-ip', value: '198.51.100.7' },
  }
  const all = Object.fromEntries(Object.values(headers).map(({ name, value }) => [name, value]))
  const make: Stage['make'] = async (path, body) => {
    const answer = await service.post(path, body, all)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const card = async () =>
    String((await make('/api/tokenize', { ...testCards.approved, expMonth: '12', expYear: '39' })).token)
  let plans = 0
  return {
    sandbox,
    base: (sandbox.chains as Required<typeof sandbox.chains>).base, // the sandbox starts it by default
    service,
    headers,
    make,
    card,
    settled: async () => {
      const body = { subtotal: { cents: 2500 }, card: { cardToken: await card() } }
      return String((await make(`/api/checkout/card/${merchantId}`, body)).paymentId)
    },
    plan: async (options) => {
      const plan = {
        name: 'Gold',
        code: `gold-${plans++}`,
        interval: 'Monthly',
        amount: { cents: 999, currency: 'USD' },
        active: true,
        duration: 12,
        description: 'All of it, each month.',
        settlementChain: 'base',
        ...options,
      }
      return String((await make('/sandbox/subscription/plans', plan)).code)
    },
    subscription: async (planCode) => {
      const body = { planCode, token: await card() }
      const path = `/api/subscription/${merchantId}/subscribers/token`
      return String((await make(path, body)).subscriptionId)
    },
  }
}

import { headerNames } from '../../redeemkit/core/headerNames.ts'
import { movableClock } from '../store/movableClock.ts'
import { openStore } from '../store/openStore.ts'
import { setMerchants } from '../store/setMerchants.ts'
import { evmAuthVerifier } from './auth/authVerifiers.ts'
import { createSandboxControls } from './controls/sandboxControls.ts'
import type { Service } from './service.ts'

export const testKeys = { shop: 'sk_test_shop_0123456789', other: 'sk_test_other_0123456789' }

/** Switches off chargeback protection, which would require a cart and a device in every checkout of unrelated tests. */
export const withoutProtection = { chargebackProtection: false } as const

/** A service without chains, with two merchants and a database, which is in memory by default. `time` is the time of its clock. */
export async function testService(where: openStore.Options = {}): Promise<{
  service: Service
  setTime: (time: number) => void
  close: () => Promise<void>
}> {
  const store = await openStore(where)
  await setMerchants(
    store.database as never, // a database transaction is not needed here
    Object.entries(testKeys).map(([merchantId, key]) => ({
      merchantId,
      creditSeed: merchantId,
      keys: [{ key }],
      settings: withoutProtection,
      jwtSecret: `the secret of the ${merchantId}, 32 characters`,
    })),
  )
  let time = Date.parse('2026-05-01T12:00:00Z')
  const service: Service = {
    kind: 'intentBound',
    database: async () => store.database,
    queue: async () => store.queue,
    now: () => time,
    hearClock: async () => {},
    headers: headerNames(),
    environment: 'sandbox',
    chains: new Map(),
    relayer: { wake: () => {} } as never, // no test sends a transaction
    redeemQueue: undefined as never, // no test redeems
    authVerifier: async () => evmAuthVerifier(new Map()),
    transferChain: async () => undefined,
    stellarSettlement: async () => undefined,
    settings: {
      gasFeePayer: 'customer',
      requireSignIn: false,
      usdcAuthorizationType: 'ReceiveWithAuthorization',
      permitSeconds: 1800,
      publicUrl: undefined,
      allowedOrigins: [],
      allowedHosts: [],
      rateLimit: undefined,
    },
    sandboxControls: createSandboxControls(movableClock(() => time)),
    onLog: undefined,
    onError: undefined,
  }
  return {
    service,
    setTime: (next) => {
      time = next
    },
    close: store.close,
  }
}

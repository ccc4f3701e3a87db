import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { headerNames } from '../../redeemkit/core/headerNames.ts'
import { permitDefaultSeconds } from '../../redeemkit/core/limits.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import { createServiceRelayer } from '../relayer/createServiceRelayer.ts'
import { reportable } from '../requestLog.ts'
import { authVerifiers } from '../service/auth/authVerifiers.ts'
import { background, createServiceLoop } from '../service/background.ts'
import type { SandboxControls } from '../service/controls/sandboxControls.ts'
import { defaultRateLimit } from '../service/http/checkCaller.ts'
import { createApp } from '../service/http/createApp.ts'
import { followRedeemed } from '../service/orders/followRedeemed.ts'
import { createRedeemQueue } from '../service/redeem/redeemQueue.ts'
import { routes } from '../service/routes.ts'
import type { Service } from '../service/service.ts'
import { loadStellarSettlement } from '../service/settlement/settleOnStellar.ts'
import { transferChains } from '../service/transfers/transferChains.ts'
import type { MovableClock } from '../store/movableClock.ts'
import type { SandboxOptions } from './sandbox.ts'
import { clockListener, type ServiceStore } from './serviceStore.ts'

/** The service and its background loop. It holds all state outside the database, so a new service resets that state. */
export type MadeService = {
  service: Service
  app: ReturnType<typeof createApp>
  loop: Pick<ReturnType<typeof createServiceLoop>, 'start' | 'stop'>
}

/** Sends no requests, and starts no work. */
export function makeService(
  options: SandboxOptions,
  parts: {
    chains: ReadonlyMap<EvmBlockchain, EvmChain>
    clock: MovableClock
    store: ServiceStore
    sandboxControls: SandboxControls | undefined
  },
): MadeService {
  const { chains, clock, store, sandboxControls } = parts
  const { environment = 'sandbox', onLog } = options
  const onError: Service['onError'] =
    options.onError && ((error, request) => options.onError?.(reportable(error), request))
  const database = async () => (await store.open()).database
  const queue = async () => (await store.open()).queue
  const kind = options.service ?? 'intentBound'
  const relayer = createServiceRelayer({
    store: store.open,
    chains,
    now: clock,
    probe: options.probe,
    onError,
    // `work` is created below, because it needs the service.
    background: () => work,
  })
  const service: Service = {
    kind,
    database,
    queue,
    now: clock,
    hearClock: clockListener(store.opened, clock),
    headers: headerNames(options.headerPrefix),
    environment,
    chains,
    relayer,
    redeemQueue: createRedeemQueue({
      database,
      relayer,
      now: clock,
      kind,
      isShared: async () => (await store.open()).isShared,
    }),
    authVerifier: authVerifiers({ environment, chains }),
    transferChain: transferChains({
      environment,
      now: clock,
      solana: options.solana,
      stellar: options.stellar,
    }),
    stellarSettlement: loadStellarSettlement(
      options.stellar?.settlement && {
        ...options.stellar.settlement,
        rpcUrl: options.stellar.rpcUrl,
        environment,
        now: clock,
      },
    ),
    settings: settingsOf(options),
    sandboxControls,
    onError,
    onLog,
  }
  const follower = followRedeemed(service, { onRecorded: () => loop.wake() })
  const work = background(service, { wake: () => loop.wake(), follower })
  const loop = createServiceLoop(service, {
    signedAt: () => clock() - clock.offsetMs(),
    headerPrefix: options.headerPrefix,
  })
  return {
    service,
    app: createApp(service, routes),
    loop: {
      start: () => {
        loop.start()
        follower.start()
      },
      stop: async () => {
        await Promise.all([loop.stop(), follower.stop()])
      },
    },
  }
}

function settingsOf(options: SandboxOptions): Service['settings'] {
  return {
    gasFeePayer: options.gasFeePayer ?? 'customer',
    requireSignIn: options.requireSignIn ?? false,
    usdcAuthorizationType: options.usdcAuthorizationType ?? 'ReceiveWithAuthorization',
    permitSeconds: options.permitSeconds ?? permitDefaultSeconds,
    publicUrl: options.publicUrl,
    allowedOrigins: [...(options.allowedOrigins ?? [])],
    allowedHosts: (options.allowedHosts ?? []).map((host) => host.toLowerCase()),
    rateLimit: options.rateLimit === false ? undefined : (options.rateLimit ?? defaultRateLimit),
  }
}

import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../../redeemkit/core/checkOptions.ts'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { checkAddress } from '../../redeemkit/evm/checkAddress.ts'
import { connectEvmChain } from '../chains/connectEvmChain.ts'
import { checkSandboxOptions } from '../checkSandboxOptions.ts'
import { createGate, keyedLock } from '../concurrency.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import { parseFunction } from '../parseSelector.ts'
import { advanceChains, moveClock } from '../service/controls/clock.ts'
import { createSandboxControls } from '../service/controls/sandboxControls.ts'
import { setListedEntry } from '../service/merchant/program.ts'
import { movableClock } from '../store/movableClock.ts'
import type { Store } from '../store/openStore.ts'
import { findStarted } from './fundAccounts.ts'
import { makeService } from './makeService.ts'
import type { Sandbox, SandboxOptions, WhitelistEntry } from './sandbox.ts'
import { serviceStore } from './serviceStore.ts'

/** A service, with operations for a process that controls all of its chains. */
export type OpenSandbox = Sandbox & {
  advance: (milliseconds: number) => Promise<void>
  /** Runs work on the chains or the service. Waits first while the service is paused. */
  beside: <result>(work: () => Promise<result> | result) => Promise<result>
  /** Pauses the service: waits for pending work, runs `work`, and holds back new work until `work` has ended. */
  holdStill: <result>(work: (held: HeldSandbox) => Promise<result>) => Promise<result>
}

type HeldSandbox = {
  store: Store
  /** Saves the state that is neither in the database nor in the clock. Returns a function that restores it. */
  keepMemory: () => () => void
}

/** `isLocal`: all chains are local, so even chains with mainnet ids hold nothing of value. */
export function openSandbox(options: SandboxOptions, { isLocal = false } = {}): OpenSandbox {
  checkSandboxOptions(options)
  const { environment = 'sandbox' } = options
  const clock = movableClock(options.now)
  const chains = new Map(
    options.chains.map((chain) => [chain.blockchain, connectEvmChain(chain, environment)]),
  )
  const store = serviceStore(options, { chains, clock, onOpen: () => current.service.relayer.wake() })
  const hasSandboxControls = options.sandboxControls !== false && (isLocal || environment !== 'prod')
  const sandboxControls = hasSandboxControls ? createSandboxControls(clock) : undefined
  const make = () => makeService(options, { chains, clock, store, sandboxControls })
  let current = make()
  const gate = createGate()
  const oneAtATime = keyedLock()
  const chainOf = (blockchain: EvmBlockchain | undefined) => findStarted([...chains.values()], blockchain)
  const begin = async () => {
    current.loop.start()
    await current.service.relayer.start()
  }
  return {
    app: {
      fetch: (request, env) => gate.pass(() => current.app.fetch(request, env)),
      request: (input, init) => gate.pass(() => current.app.request(input, init)),
    },
    start: async () => {
      await store.open()
      // A chain that was just started does not have the clock's offset yet.
      if (clock.offsetMs() > 0) await advanceChains(current.service)
      await begin()
    },
    stop: async () => {
      await Promise.all([current.service.relayer.stop(), current.loop.stop()])
      await store.close()
    },
    advance: (milliseconds) =>
      gate.pass(() => moveClock(current.service, { clock, millisecondsFrom: () => milliseconds })),
    beside: gate.pass,
    holdStill: (work) =>
      oneAtATime('still', async () => {
        // Webhooks stop first, while merchants can still call the service.
        await current.loop.stop()
        try {
          return await gate.whileShut(
            async () => {
              await current.service.relayer.stop()
              return work({
                store: await store.open(),
                keepMemory: () => {
                  const factories = [...chains.values()].map(({ walletFactories }) => [...walletFactories])
                  const putBackFaults = sandboxControls?.faults.keep()
                  return () => {
                    putBackFaults?.()
                    for (const [index, { walletFactories }] of [...chains.values()].entries()) {
                      walletFactories.clear()
                      for (const factory of factories[index] ?? []) walletFactories.add(factory)
                    }
                    current = make()
                  }
                },
              })
            },
            { timeoutMs: busyMaximumMs, onTimeout: () => new SandboxBusyError(busyMaximumMs) },
          )
        } finally {
          await begin()
        }
      }),
    allowFactory: ({ factory, blockchain }) => {
      chainOf(blockchain).walletFactories.add(checkAddress(factory, 'factory'))
    },
    whitelist: async (given) => {
      const { blockchain, creditSeed, target, selector, ...entry } = checkOptions(given, entryKinds)
      const called = selector === undefined ? undefined : parseFunction(selector, 'selector')
      const checked = {
        ...entry,
        selector: called?.selector,
        signature: called?.signature,
        allowed: entry.allowed ?? true,
        chain: chainOf(blockchain),
        target: checkAddress(target, 'target'),
        creditSeed: creditSeed ?? firstSeed(options),
      }
      await gate.pass(() => setListedEntry(current.service, checked))
    },
  }
}

/** Timeout for pausing. It is longer than a request that waits for a block. */
const busyMaximumMs = 20_000

/** Unknown fields are errors, because a misspelt `selector` would allow every function. */
const entryKinds: OptionKinds<WhitelistEntry> = {
  target: 'string',
  selector: 'any',
  blockchain: 'string?',
  creditSeed: 'string?',
  chainId: 'number?',
  minimumGas: 'any',
  allowed: 'boolean?',
}

function firstSeed({ merchants: [first] }: SandboxOptions): string {
  if (first === undefined)
    throw new InvalidSandboxOptionsError('This sandbox has no merchant.', { field: 'merchants' })
  return first.creditSeed ?? first.merchantId
}

/** A request did not end within the timeout, so the sandbox could not be paused. */
export class SandboxBusyError extends BaseError {
  override readonly name = 'SandboxBusyError'

  constructor(waitedMs: number) {
    super(`A request to the sandbox is still pending after ${waitedMs / 1000} s.`, {
      fix: 'Await your own requests first, and mine a block if a transaction is pending.',
    })
  }
}

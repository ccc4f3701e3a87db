import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../../redeemkit/core/checkOptions.ts'
import { checkAddress } from '../../redeemkit/evm/checkAddress.ts'
import { connectEvmChain } from '../chains/connectEvmChain.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import { checkSandboxOptions } from '../checkSandboxOptions.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import { parseSelector } from '../parseSelector.ts'
import { createGate } from '../process/createGate.ts'
import { keyedLock } from '../process/keyedLock.ts'
import { movableClock } from '../process/movableClock.ts'
import { createAffordances } from '../service/controls/affordances.ts'
import { advanceChains } from '../service/controls/chainTimes.ts'
import { moveClock } from '../service/controls/moveClock.ts'
import { setWhitelist } from '../service/merchant/setWhitelist.ts'
import type { Store } from '../store/openStore.ts'
import { SandboxBusyError } from './errors.ts'
import { makeService } from './makeService.ts'
import type { Sandbox, WhitelistEntry } from './sandbox.ts'
import type { SandboxOptions } from './sandboxOptions.ts'
import { serviceStore } from './serviceStore.ts'

/** A service, with what only somebody may do who has all of its chains in hand. */
export type OpenSandbox = Sandbox & {
  /** Puts the service's clock and its chains forward. */
  advance: (milliseconds: number) => Promise<void>
  /** Does something on the chains or the service beside it, while nobody holds it still. */
  beside: <result>(work: () => Promise<result> | result) => Promise<result>
  /**
   * Holds the service still: what is on its way ends before, what comes then waits.
   *
   * @throws {@link SandboxBusyError}
   */
  holdStill: <result>(work: (held: HeldSandbox) => Promise<result>) => Promise<result>
}

/** A service that does nothing at the moment. */
type HeldSandbox = {
  store: Store
  /** What it remembers outside of the database and the clock, to be put back. */
  keepMemory: () => () => void
}

/**
 * `createSandbox`, for `startSandbox`.
 *
 * @param how.isLocal all chains are on this machine: also under the chain ids of main networks nothing of worth can be touched
 */
export function openSandbox(options: SandboxOptions, { isLocal = false } = {}): OpenSandbox {
  checkSandboxOptions(options)
  const { environment = 'sandbox' } = options
  const clock = movableClock(options.now)
  const chains = new Map(
    options.chains.map((chain) => [chain.blockchain, connectEvmChain(chain, environment)]),
  )
  const store = serviceStore(options, { chains, clock, onOpen: () => current.service.relayer.wake() })
  const hasAffordances = options.affordances !== false && (isLocal || environment !== 'prod')
  const affordances = hasAffordances ? createAffordances(clock) : undefined
  const make = () => makeService(options, { chains, clock, store, affordances })
  let current = make()
  const gate = createGate()
  const oneAtATime = keyedLock()
  const chainOf = (blockchain: EvmBlockchain | undefined) => findChain(chains, blockchain)
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
      // A chain that was made now is not yet where the clock was put.
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
        // First what tells merchants, while they may still ask something in return.
        await current.loop.stop()
        try {
          return await gate.whileShut(
            async () => {
              await current.service.relayer.stop()
              return work({
                store: await store.open(),
                keepMemory: () => {
                  const factories = [...chains.values()].map(({ walletFactories }) => [...walletFactories])
                  const putBackFaults = affordances?.faults.keep()
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
      const checked = {
        ...entry,
        selector: selector === undefined ? undefined : parseSelector(selector, 'selector'),
        allowed: entry.allowed ?? true,
        chain: chainOf(blockchain),
        target: checkAddress(target, 'target'),
        creditSeed: creditSeed ?? firstSeed(options),
      }
      await gate.pass(() => setWhitelist(current.service, checked))
    },
  }
}

/** Longer than a request takes that waits for a block. */
const busyMaximumMs = 20_000

/** A misspelt `selector` would allow every function. */
const entryKinds: OptionKinds<WhitelistEntry> = {
  target: 'string',
  selector: 'any',
  blockchain: 'string?',
  creditSeed: 'string?',
  chainId: 'number?',
  minimumGas: 'any',
  allowed: 'boolean?',
}

/** The chain of that name; the sandbox's first, when none is named. */
function findChain(
  chains: ReadonlyMap<EvmBlockchain, EvmChain>,
  blockchain: EvmBlockchain | undefined,
): EvmChain {
  const chain = blockchain === undefined ? [...chains.values()][0] : chains.get(blockchain)
  if (chain !== undefined) return chain
  throw new InvalidSandboxOptionsError('There is no such chain in this sandbox.', {
    field: 'blockchain',
    fix: `Use one of ${[...chains.keys()].join(', ')}.`,
  })
}

function firstSeed({ merchants: [first] }: SandboxOptions): string {
  if (first === undefined)
    throw new InvalidSandboxOptionsError('There is no merchant in this sandbox.', { field: 'merchants' })
  return first.creditSeed ?? first.merchantId
}

import type { Environment, EvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../../../redeemkit/core/checkOptions.ts'
import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { networkOf } from '../../../redeemkit/evm/networks.ts'
import { usdcToken } from '../../../redeemkit/evm/usdcToken.ts'
import type { InvalidHexError } from '../../../redeemkit/evm/values/checkHex.ts'
import { anvilRpc } from '../../chains/anvil/anvilRpc.ts'
import { roles } from '../../chains/anvil/deployCredits.ts'
import { checkForkOptions } from '../../chains/anvil/fork/checkForkOptions.ts'
import { nodeTransport } from '../../chains/anvil/nodeTransport.ts'
import { serveNode } from '../../chains/anvil/serveNode.ts'
import { listen } from '../../servers/listen.ts'
import { createClosers } from '../../start/createClosers.ts'
import { sandboxPeople } from '../../start/fundPeople.ts'
import type { Fork } from './fork.ts'
import { forkActions } from './forkActions.ts'
import { createForkClient } from './forkClient.ts'
import { forkRedeems } from './forkRedeems.ts'
import { openForkChain } from './openForkChain.ts'
import { type Impersonated, noteImpersonation, snapshots, turnstile } from './snapshots.ts'

/**
 * Starts a chain for tests of a merchant's contract: fresh, or a copy of a real one, with the real USDC address, the service's
 * contracts, and people who have USDC and credits. There is no service: `redeem` sends as the service's operator does. For the whole
 * service there is `startSandbox`.
 *
 * With `record`, what a copy asks of its origin is kept in that file, at one block: the next run needs no endpoint, and none is
 * asked for what the file has. What it lacks is an error that names the request, or, with `forkUrl`, is fetched and added.
 *
 * @throws {@link InvalidOptionError}; NoUsdcAuthorizationError for Tempo; AnvilNotInstalledError, AnvilStartError; and of a
 * copy ForkOriginError, RecordFileError, NotRecordedError, ChainSetupError
 * @example
 * ```ts
 * import { startFork } from '@redeemkit/sandbox/testing'
 * const fork = await startFork({ blockchain: 'base' })
 * // const shop = await fork.deploy({ ...artifact, args: [fork.usdc] })
 * await fork.stop()
 * ```
 */
export async function startFork(options: startFork.Options = {}): Promise<Fork> {
  checkOptions(options, optionKinds)
  const { blockchain = 'base', environment = 'sandbox', creditSeed = 'sandbox-shop' } = options
  const { forkUrl, record, forkBlockNumber } = options
  checkFork(options)
  const { chainId, name } = networkOf({ blockchain, environment })
  const usdc = usdcToken({ chainId }).address
  const closers = createClosers()
  try {
    const { node, origin, creditsContract } = await openForkChain(
      { chainId, creditSeed, forkUrl, record, forkBlockNumber },
      closers,
    )
    const impersonated: Impersonated = { all: false, accounts: new Set() }
    const way = turnstile(node)
    const outward = noteImpersonation(way, impersonated)
    const { url: rpcUrl, close } = await listen({ fetch: serveNode(outward), port: 0 })
    closers.add(close)
    const client = createForkClient(outward, { chainId, rpcUrl, name })
    const people = sandboxPeople()
    const operator = roles.operator
    const chain = { chainId, usdc, creditsContract, creditSeed }
    const { take, restore } = snapshots(way, impersonated)
    return {
      blockchain,
      environment,
      forkBlockNumber: origin === undefined ? undefined : Number(origin.blockNumber),
      rpcUrl,
      client,
      ...chain,
      operator: operator.account.address,
      people,
      ...forkActions(anvilRpc(nodeTransport(way)), chain),
      ...forkRedeems(client, {
        ...chain,
        operator: operator.account,
        alice: people.alice,
      }),
      snapshot: take,
      revert: restore,
      increaseTime: async (seconds) => {
        await client.increaseTime({ seconds: checkSeconds(seconds) })
        await client.mine({ blocks: 1 })
      },
      takeMissing: () => origin?.takeMissing(),
      callsUpstream: () => origin?.callsUpstream() ?? 0,
      stop: closers.closeAll,
    }
  } catch (cause) {
    // Why the start failed is worth more than what failed while it was taken back.
    await closers.closeAll().catch(() => {})
    throw cause
  }
}

export declare namespace startFork {
  type Options = {
    /** EVM chain with USDC. Default `base`. */
    blockchain?: EvmBlockchain | undefined
    /** `sandbox` and `prod` decide the chain id and the address of USDC. Default `sandbox`. */
    environment?: Environment | undefined
    /**
     * JSON-RPC endpoint that the chain is copied from. Left out: `record` alone, or a fresh chain; given as `undefined` without `record`
     * it is refused.
     */
    forkUrl?: string | undefined
    /** Block that is copied. Default: that of `record`, or the newest. */
    forkBlockNumber?: number | undefined
    /** File in which is kept what was asked of the endpoint, and from which it is answered. Each chain and block has its own. */
    record?: string | undefined
    /** Name of the merchant's credit balance. Default `sandbox-shop`. */
    creditSeed?: string | undefined
  }
  type ErrorType =
    | checkOptions.ErrorType
    | networkOf.ErrorType
    | usdcToken.ErrorType
    | openForkChain.ErrorType
    | checkForkOptions.ErrorType
    | InvalidHexError
}

const optionKinds: OptionKinds<startFork.Options> = {
  blockchain: 'string?',
  environment: 'string?',
  forkUrl: 'string?',
  forkBlockNumber: 'any',
  record: 'string?',
  creditSeed: 'string?',
}

function checkFork(options: startFork.Options): void {
  const { forkUrl, record, forkBlockNumber } = options
  if (record === '')
    throw new InvalidOptionError('record is empty.', {
      field: 'record',
      fix: 'Give the path of a file, or leave the option out.',
    })
  // Not a fresh chain in the place of a copy, without a word.
  if ('forkUrl' in options && record === undefined) checkForkOptions({ forkUrl, forkBlockNumber })
  if (forkBlockNumber === undefined) return
  if (!Number.isSafeInteger(forkBlockNumber) || forkBlockNumber < 0)
    throw new InvalidOptionError(`forkBlockNumber is ${showValue(forkBlockNumber)}.`, {
      field: 'forkBlockNumber',
      fix: 'Give the number of a block, a whole number from 0.',
    })
  if (forkUrl === undefined && record === undefined)
    throw new InvalidOptionError('A fresh chain has no block to be copied.', {
      field: 'forkBlockNumber',
      fix: 'Give forkUrl, or record, too. One that is undefined comes of a variable that is not set.',
    })
}

function checkSeconds(seconds: number): number {
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds
  throw new InvalidOptionError(`${showValue(seconds)} is no number of seconds.`, {
    field: 'seconds',
    fix: 'Give a whole number from 0: a chain goes back by revert only.',
  })
}

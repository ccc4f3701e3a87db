import type { Environment, EvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../../../redeemkit/core/checkOptions.ts'
import { type InvalidAddressError, InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { networkOf } from '../../../redeemkit/evm/networks.ts'
import { usdcToken } from '../../../redeemkit/evm/usdcToken.ts'
import type { InvalidHexError } from '../../../redeemkit/evm/values.ts'
import { anvilRpc } from '../../chains/anvil/anvilRpc.ts'
import { nodeTransport } from '../../chains/anvil/connectPipe.ts'
import { roles } from '../../chains/anvil/deployCredits.ts'
import { checkForkOptions } from '../../chains/anvil/fork/forkUrl.ts'
import { serveNode } from '../../chains/anvil/serveNode.ts'
import { listen } from '../../servers/listen.ts'
import { createClosers } from '../../start/createClosers.ts'
import { sandboxAccounts } from '../../start/fundAccounts.ts'
import type { Fork } from './fork.ts'
import { forkActions } from './forkActions.ts'
import { createForkClient } from './forkClient.ts'
import { forkRedeems } from './forkRedeems.ts'
import { openForkChain } from './openForkChain.ts'
import { exclusiveNode, type Impersonated, recordImpersonation, snapshots } from './snapshots.ts'

/**
 * Starts a chain for tests of a merchant's contract: fresh or forked, with the real USDC address, the contracts of the
 * service, and test accounts with USDC and credits. There is no service: `redeem` sends like the service's operator.
 * For the whole service, use `startSandbox`.
 *
 * `record` stores what a fork reads from its origin in a file, at one block, so that the next run needs no endpoint.
 * Missing data is an error that names the request, or is fetched and added if `forkUrl` is given.
 *
 * @throws {@link InvalidOptionError}; NoUsdcAuthorizationError for Tempo; AnvilNotInstalledError, AnvilStartError; and for a
 * fork ForkOriginError, RecordFileError, NotRecordedError, ChainSetupError
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
    const way = exclusiveNode(node)
    const outward = recordImpersonation(way, impersonated)
    const { url: rpcUrl, close } = await listen({ fetch: serveNode(outward), port: 0 })
    closers.add(close)
    const client = createForkClient(outward, { chainId, rpcUrl, name })
    const accounts = sandboxAccounts()
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
      accounts,
      ...forkActions(anvilRpc(nodeTransport(way)), chain),
      ...forkRedeems(client, {
        ...chain,
        operator: operator.account,
        alice: accounts.alice,
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
    // Report the original error, not a cleanup failure.
    await closers.closeAll().catch(() => {})
    throw cause
  }
}

export declare namespace startFork {
  type Options = {
    /** EVM chain with USDC. Default `base`. */
    blockchain?: EvmBlockchain | undefined
    /** Determines the chain id and the USDC address. Default `sandbox`. */
    environment?: Environment | undefined
    /**
     * JSON-RPC endpoint to fork from. Omit it for a fresh chain, or to use `record` alone. An explicit `undefined`
     * without `record` is rejected.
     */
    forkUrl?: string | undefined
    /** Block to fork. Default: that of `record`, or the latest. */
    forkBlockNumber?: number | undefined
    /** File that records the answers of the endpoint. Use one file per chain and block. */
    record?: string | undefined
    /** Name of the merchant's credit balance. Default `sandbox-shop`. */
    creditSeed?: string | undefined
  }
  type ErrorType =
    | checkOptions.ErrorType
    | networkOf.ErrorType
    | usdcToken.ErrorType
    | InvalidAddressError
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
      fix: 'Pass the path of a file, or omit the option.',
    })
  // Never silently start a fresh chain instead of a fork.
  if ('forkUrl' in options && record === undefined) checkForkOptions({ forkUrl, forkBlockNumber })
  if (forkBlockNumber === undefined) return
  if (!Number.isSafeInteger(forkBlockNumber) || forkBlockNumber < 0)
    throw new InvalidOptionError(`forkBlockNumber is ${showValue(forkBlockNumber)}.`, {
      field: 'forkBlockNumber',
      fix: 'Pass a block number, a whole number from 0.',
    })
  if (forkUrl === undefined && record === undefined)
    throw new InvalidOptionError('forkBlockNumber was given without forkUrl or record.', {
      field: 'forkBlockNumber',
      fix: 'Pass forkUrl or record as well. If you did, check that its variable is set.',
    })
}

function checkSeconds(seconds: number): number {
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds
  throw new InvalidOptionError(`${showValue(seconds)} is not a valid number of seconds.`, {
    field: 'seconds',
    fix: 'Pass a whole number from 0. To go back in time, use revert.',
  })
}

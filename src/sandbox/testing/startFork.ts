import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../../redeemkit/core/checkOptions.ts'
import { type InvalidAddressError, InvalidOptionError } from '../../redeemkit/core/errors/inputErrors.ts'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import { defaultMinimumGas } from '../../redeemkit/core/limits.ts'
import { checkAddress } from '../../redeemkit/evm/checkAddress.ts'
import type { ChainReadError } from '../../redeemkit/evm/client.ts'
import { networkOf } from '../../redeemkit/evm/networks.ts'
import { usdcToken } from '../../redeemkit/evm/usdcToken.ts'
import type { InvalidHexError } from '../../redeemkit/evm/values.ts'
import { type AnvilRpc, anvilRpc } from '../chains/anvil/anvilRpc.ts'
import { nodeTransport } from '../chains/anvil/connectPipe.ts'
import { giveCredits, roles } from '../chains/anvil/deployCredits.ts'
import { checkForkOptions } from '../chains/anvil/forkOrigin.ts'
import { serveNode } from '../chains/anvil/serveNode.ts'
import { setWhitelistCall } from '../contracts/creditsCalls.ts'
import { devAccount } from '../devAccounts.ts'
import type { InvalidSandboxOptionsError } from '../errors.ts'
import { defaultMerchantId } from '../merchantOptions.ts'
import { parseSelector } from '../parseSelector.ts'
import { listen } from '../servers/listen.ts'
import { createClosers } from '../start/createClosers.ts'
import { deployFrom } from '../start/deployTo.ts'
import { sandboxAccounts } from '../start/fundAccounts.ts'
import { createForkClient, type Fork, type ForkGift, type ForkWhitelistEntry } from './fork.ts'
import { forkRedeems } from './forkRedeems.ts'
import { merchantDeployer, openForkChain } from './openForkChain.ts'
import { exclusiveNode, type Impersonated, recordImpersonation, snapshots } from './snapshots.ts'

/**
 * Starts a chain for tests of a merchant's contract: fresh or forked, with USDC at its real address, the service's contracts, and test
 * accounts with USDC and credits. There is no service: `redeem` sends redeems as the service's operator does. To test with the service, use
 * `startSandbox`.
 *
 * With `record`, a file stores what a fork reads from its origin at one block, so that the next run needs no endpoint. Data that the file
 * lacks is fetched from `forkUrl` and added. Without `forkUrl`, an error names the missing request.
 *
 * @throws {@link InvalidOptionError}; NoUsdcAuthorizationError for Tempo; AnvilNotInstalledError, AnvilStartError,
 * ChainReadError; and for a fork ForkOriginError, RecordFileError, NotRecordedError, ChainSetupError
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
  const { blockchain = 'base', environment = 'sandbox', creditSeed = defaultMerchantId } = options
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
    const rpc = anvilRpc(nodeTransport(way))
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
      whitelist: (entry) => whitelist(rpc, chain, entry),
      deploy: (contract) => deployFrom(merchantDeployer, rpc, contract),
      fund: (gift) => fund(rpc, chain, gift),
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
    /** EVM chain with USDC to start. Default `base`. */
    blockchain?: EvmBlockchain | undefined
    /** Determines the chain id and the USDC address. Default `sandbox`. */
    environment?: Environment | undefined
    /**
     * JSON-RPC endpoint to fork from. Omit it for a fresh chain, or to use only `record`. An explicit `undefined` without `record` is
     * rejected.
     */
    forkUrl?: string | undefined
    /** Block to fork. Default: the block in `record`, or the latest block. */
    forkBlockNumber?: number | undefined
    /** File that stores the endpoint's responses. Use one file per chain and block. */
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
    | InvalidSandboxOptionsError
    | ChainReadError
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
  // A fresh chain must not start when a fork was requested.
  if (forkUrl !== undefined || ('forkUrl' in options && record === undefined))
    checkForkOptions({ forkUrl, forkBlockNumber })
  if (forkBlockNumber === undefined) return
  if (!Number.isSafeInteger(forkBlockNumber) || forkBlockNumber < 0)
    throw new InvalidOptionError(`forkBlockNumber is ${showValue(forkBlockNumber)}.`, {
      field: 'forkBlockNumber',
      fix: 'Pass a whole number, 0 or more.',
    })
  if (forkUrl === undefined && record === undefined)
    throw new InvalidOptionError('forkBlockNumber was given without forkUrl or record.', {
      field: 'forkBlockNumber',
      fix: 'Pass forkUrl or record as well.',
    })
}

function checkSeconds(seconds: number): number {
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds
  throw new InvalidOptionError(`${showValue(seconds)} is not a valid number of seconds.`, {
    field: 'seconds',
    fix: 'Pass a whole number, 0 or more. To go back in time, use revert.',
  })
}

type Chain = { chainId: number; usdc: Hex; creditsContract: Hex; creditSeed: string }

async function whitelist(rpc: AnvilRpc, chain: Chain, entry: ForkWhitelistEntry): Promise<void> {
  checkOptions(entry, { target: 'string', selector: 'string?', minimumGas: 'any', allowed: 'boolean?' })
  const { selector, minimumGas = defaultMinimumGas, allowed = true } = entry
  const { creditsContract, creditSeed, chainId } = chain
  await rpc.send({
    from: roles.whitelister.account.address,
    ...setWhitelistCall(
      { creditsContract },
      {
        creditSeed,
        chainId,
        target: checkAddress(entry.target, 'target'),
        selector: selector === undefined ? undefined : parseSelector(selector, 'selector'),
        allowed,
        minimumGas,
      },
    ),
  })
}

async function fund(rpc: AnvilRpc, chain: Chain, gift: ForkGift): Promise<void> {
  checkOptions(gift, { wallet: 'string', usdc: 'any', credits: 'any', coin: 'any' })
  const { usdc = 0n, credits = 0n, coin = 0n } = gift
  const wallet = checkAddress(gift.wallet, 'wallet')
  const { creditsContract, creditSeed } = chain
  if (usdc > 0n)
    await rpc.send({
      from: devAccount('USDC treasury').account.address,
      to: chain.usdc,
      data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [wallet, usdc] }),
    })
  if (credits > 0n) await giveCredits(rpc, { creditsContract, creditSeed, wallet, amount: credits })
  if (coin > 0n) await rpc.setBalance(wallet, (await rpc.client.getBalance({ address: wallet })) + coin)
}

/** The treasury has been a minter since the chain was created. */
const mintAbi = parseAbi(['function mint(address to, uint256 amount) returns (bool)'])

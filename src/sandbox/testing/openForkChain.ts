import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Hex } from 'viem'
import { bridgeAdapterBytecode } from '../../../contracts/generated/BridgeAdapter.ts'
import { creditsBytecode } from '../../../contracts/generated/Credits.ts'
import { mockUsdcBytecode } from '../../../contracts/generated/MockUsdc.ts'
import { hasCode } from '../../redeemkit/evm/client.ts'
import { usdcToken } from '../../redeemkit/evm/usdcToken.ts'
import { type AnvilRpc, anvilRpc, dropBlockHashHistory } from '../chains/anvil/anvilRpc.ts'
import { nodeRequest, nodeTransport } from '../chains/anvil/connectPipe.ts'
import { deployCredits, firstContractsOf, roles } from '../chains/anvil/deployCredits.ts'
import { type OpenAnvil, openAnvil } from '../chains/anvil/openAnvil.ts'
import { placeMulticall3, prepareUsdc } from '../chains/anvil/prepareUsdc.ts'
import { anvilBinary } from '../chains/anvil/startProcess.ts'
import { ChainSetupError } from '../chains/errors.ts'
import { devAccount } from '../devAccounts.ts'
import type { Closers } from '../start/createClosers.ts'
import { fundAccounts, sandboxAccounts } from '../start/fundAccounts.ts'
import { type Origin, openOrigin } from './openOrigin.ts'

/** Opens a fresh or forked chain with the service's contracts and funded test accounts. Adds the opened parts to `closers`. */
export async function openForkChain(
  options: openForkChain.Options,
  closers: Closers,
): Promise<{ node: OpenAnvil; origin: Origin | undefined; creditsContract: Hex }> {
  const { chainId, creditSeed, forkUrl, record, forkBlockNumber } = options
  if (forkUrl === undefined && record === undefined) return openFresh({ chainId, creditSeed }, closers)
  const origin = await openOrigin({ chainId, forkUrl, record, forkBlockNumber })
  closers.add(origin.close)
  try {
    const anvil = await openAnvil({
      chainId,
      forkUrl: origin.url,
      forkBlockNumber: Number(origin.blockNumber),
      isOwnOrigin: true,
      extraArguments: [...withoutAccounts, '--retries', '0', '--no-rate-limit'],
    })
    closers.add(anvil.stop)
    const node = watched(anvil, origin)
    const rpc = anvilRpc(nodeTransport(node))
    await dropBlockHashHistory(rpc)
    const { creditsContract } = await prepareChain(rpc, { chainId, creditSeed })
    origin.addOwn(creditsContract)
    return { node, origin, creditsContract }
  } catch (cause) {
    // If data is missing, the error about it is the cause of this failure.
    throw origin.takeMissing() ?? cause
  }
}

export declare namespace openForkChain {
  type Options = openOrigin.Options & { creditSeed: string }
  type ErrorType = openAnvil.ErrorType | nodeRequest.ErrorType | openOrigin.ErrorType | ChainSetupError
}

type Terms = Pick<openForkChain.Options, 'chainId' | 'creditSeed'>

/**
 * If a call needs missing data, Anvil returns an error. If a block needs missing data, the transaction stays pending without an error, so
 * the error replaces the node's next response.
 */
function watched(node: OpenAnvil, origin: Origin): OpenAnvil {
  return {
    ...node,
    ask: async (method, params) => {
      const tail = await node.ask(method, params).catch((cause) => {
        // The node may have crashed because data is missing.
        throw origin.takeMissing() ?? cause
      })
      const [, hash] = method.startsWith('eth_send') ? (/^"result":"(0x[0-9a-f]{64})"/.exec(tail) ?? []) : []
      if (hash !== undefined) origin.addOwn(hash)
      const missing = origin.takeMissing()
      if (missing === undefined) return tail
      const code = missing.name === 'NotRecordedError' ? -32001 : -32603
      return `"error":${JSON.stringify({ code, message: missing.message })}}`
    },
  }
}

async function openFresh(options: Terms, closers: Closers) {
  const genesis = await genesisFile(options)
  const node = await openAnvil({
    chainId: options.chainId,
    extraArguments: [
      ...withoutAccounts,
      ...['--init', genesis, '--timestamp', String(Math.floor(Date.now() / 1000))],
    ],
  })
  closers.add(node.stop)
  const { client } = anvilRpc(nodeTransport(node))
  const { creditsContract } = firstContractsOf('intentBound')
  if (!(await hasCode(client, creditsContract)))
    throw new ChainSetupError('The chain started without the contracts.', {
      fix: `Delete ${genesis}. It will be recreated.`,
    })
  // On a genesis block, Anvil runs calls and estimates at time 0 until it restores a snapshot. viem's types do not list these methods.
  const snapshot = await client.request({ method: 'evm_snapshot' } as never)
  await client.request({ method: 'evm_revert', params: [snapshot] } as never)
  return { node, origin: undefined, creditsContract }
}

/** Anvil's default accounts have code on real chains, because their keys are public. Creating them needs requests to the origin. */
const withoutAccounts = ['--accounts', '0']

export const merchantDeployer = devAccount('merchant').account.address

/** The bank backs credits with USDC. Each test account has 1000 dollars of credits and 1000 USDC. */
async function prepareChain(
  rpc: AnvilRpc,
  { chainId, creditSeed }: Terms,
): Promise<{ creditsContract: Hex }> {
  await placeMulticall3(rpc)
  const mintUsdc = await prepareUsdc(rpc, { chainId })
  const deployment = await deployCredits(rpc, {
    service: 'intentBound',
    usdc: usdcToken({ chainId }).address,
  })
  const { bank, operator } = roles
  await mintUsdc(bank.account.address, treasure)
  const chain = { rpc, mintUsdc, deployment, fresh: true }
  await fundAccounts(sandboxAccounts(), { chains: [chain], creditSeeds: [creditSeed] })
  const treasury = devAccount('USDC treasury').account.address
  for (const sender of [operator.account.address, bank.account.address, treasury, merchantDeployer]) {
    await rpc.setCode(sender, '0x')
    await rpc.setBalance(sender, coins)
  }
  return deployment
}

/** A billion dollars of USDC, in raw units. */
const treasure = 10n ** 15n

/** In wei. */
const coins = 10n ** 24n

/**
 * Returns a genesis file that contains the result of `prepareChain`, so that the chain starts as fast as an empty one.
 *
 * The file is cached next to the installed packages, one per version of the contracts. If that folder is read-only, each process creates
 * its own file.
 */
function genesisFile(options: Terms): Promise<string> {
  const key = JSON.stringify(options)
  const making = made.get(key) ?? findOrMake(options)
  made.set(key, making)
  // The next call retries. This call's caller gets the error.
  making.catch(() => made.delete(key))
  return making
}

const made = new Map<string, Promise<string>>()

async function findOrMake(options: Terms): Promise<string> {
  const kept = keptFile(options)
  if (existsSync(kept)) return kept
  const text = await makeGenesis(options)
  try {
    await mkdir(dirname(kept), { recursive: true })
    const own = `${kept}.${process.pid}`
    await writeFile(own, text)
    // Renaming is atomic; other processes may be reading the file.
    await rename(own, kept)
    return kept
  } catch {
    // The installation is read-only.
    const folder = await mkdtemp(join(tmpdir(), 'redeemkit-genesis-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const own = join(folder, 'genesis.json')
    await writeFile(own, text)
    return own
  }
}

function keptFile(options: Terms): string {
  const program = anvilBinary()
  const packages = program.slice(0, program.lastIndexOf('node_modules') + 'node_modules'.length)
  const version = createHash('sha256')
    .update(
      JSON.stringify([recipe, program, options, creditsBytecode, bridgeAdapterBytecode, mockUsdcBytecode]),
    )
    .digest('hex')
    .slice(0, 16)
  return join(packages, '.cache', 'redeemkit', `genesis-${version}.json`)
}

/** Increment this number if `prepareChain` or the functions that it calls change. */
const recipe = 2

async function makeGenesis({ chainId, creditSeed }: Terms): Promise<string> {
  const node = await openAnvil({ chainId, extraArguments: ['--accounts', '0'] })
  try {
    const rpc = anvilRpc(nodeTransport(node))
    await dropBlockHashHistory(rpc)
    await prepareChain(rpc, { chainId, creditSeed })
    // Anvil returns hex of gzipped JSON.
    const dump = (await nodeRequest(node)({ method: 'anvil_dumpState' })) as string
    const { accounts } = JSON.parse((await unzip(Buffer.from(dump.slice(2), 'hex'))).toString('utf8'))
    return JSON.stringify({ ...emptyGenesis, config: { chainId }, alloc: allocOf(accounts) })
  } finally {
    await node.stop()
  }
}

const unzip = promisify(gunzip)

const emptyGenesis = {
  nonce: '0x0',
  // Anvil gets the time at each start, so the file contains no time.
  timestamp: '0x0',
  extraData: '0x',
  gasLimit: '0x1c9c380',
  difficulty: '0x0',
  mixHash: `0x${'0'.repeat(64)}`,
  coinbase: `0x${'0'.repeat(40)}`,
}

type DumpedAccount = { nonce: number; balance: string; code: string; storage: Record<string, string> }

function allocOf(accounts: Record<string, DumpedAccount>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(accounts).map(([address, { nonce, balance, code, storage }]) => [
      address,
      {
        nonce: `0x${nonce.toString(16)}`,
        balance,
        ...(code === '0x' ? {} : { code }),
        storage: Object.fromEntries(Object.entries(storage).filter(([, value]) => BigInt(value) !== 0n)),
      },
    ]),
  )
}

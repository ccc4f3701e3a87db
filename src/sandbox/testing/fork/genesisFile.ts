import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { bridgeAdapterBytecode } from '../../../../contracts/generated/BridgeAdapter.ts'
import { creditsBytecode } from '../../../../contracts/generated/Credits.ts'
import { mockUsdcBytecode } from '../../../../contracts/generated/MockUsdc.ts'
import { anvilRpc, dropBlockHashHistory } from '../../chains/anvil/anvilRpc.ts'
import { nodeRequest, nodeTransport } from '../../chains/anvil/connectPipe.ts'
import { openAnvil } from '../../chains/anvil/openAnvil.ts'
import { anvilBinary } from '../../chains/anvil/startProcess.ts'
import { prepareChain } from './prepareChain.ts'

/**
 * Returns a genesis file that contains the result of `prepareChain`, so that the chain starts as fast as an empty one.
 *
 * The file is cached next to the installed packages, one per version of the contracts. If that folder is read-only, each process creates
 * its own file.
 */
export function genesisFile(options: genesisFile.Options): Promise<string> {
  const key = JSON.stringify(options)
  const making = made.get(key) ?? findOrMake(options)
  made.set(key, making)
  // The next call retries. This call's caller gets the error.
  making.catch(() => made.delete(key))
  return making
}

export declare namespace genesisFile {
  type Options = { chainId: number; creditSeed: string }
  type ErrorType = openAnvil.ErrorType | nodeRequest.ErrorType
}

const made = new Map<string, Promise<string>>()

async function findOrMake(options: genesisFile.Options): Promise<string> {
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

function keptFile(options: genesisFile.Options): string {
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

async function makeGenesis({ chainId, creditSeed }: genesisFile.Options): Promise<string> {
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

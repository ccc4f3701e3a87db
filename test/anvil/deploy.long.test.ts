import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import solc from 'solc'
import { type Address, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil } from '../../src/sandbox/chains/anvil/startAnvil.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Anvil's first account, whose key is public. */
const deployer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const deployerKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const account = (digits: string) => getAddress(`0x${digits.padStart(40, '0')}`)
const plan = {
  USDC: account('05dc'),
  ADMIN: account('ad'),
  FEE_RECIPIENT: account('fe'),
  OPERATOR: account('09'),
  PAYMENT_OPERATOR: account('0a'),
  BRIDGE_RELAYER: account('b1'),
  MINTER: account('31'),
  WHITELISTER: account('77'),
  PAUSER: account('9a'),
  TREASURER: account('7e'),
}

let anvil: startAnvil.ReturnType

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 84532 })
  await anvil.request({ method: 'anvil_setCode', params: [plan.USDC, '0x00'] })
})
afterAll(() => anvil.stop())

// Not `execFileSync`, which would block this process, and this process serves Anvil's RPC.
async function runScript(...options: string[]) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['contracts/forge.mjs', 'script', 'contracts/script/Deploy.s.sol'],
      ...['--rpc-url', anvil.url, '--sender', deployer, ...options],
    ],
    { cwd: root, env: { ...process.env, ...plan } },
  )
  return stdout
}

/** Returns the contracts that the script printed: name, address and constructor arguments. */
const contractsIn = (printed: string) =>
  [...printed.matchAll(/^ {2}(\w+) (0x[\da-fA-F]{40})\b.*\n(?: {4}--constructor-args (0x[\da-f]*))?/gm)].map(
    ([, name = '', address, args = '0x']) => ({ name, address: address as Address, args: args as Hex }),
  )

type Code = { object: string; immutableReferences?: Record<string, { start: number; length: number }[]> }

/** Compiles a contract as a block explorer does: from the sources and settings in its metadata. */
function compile(name: string): { creation: string; runtime: Code } {
  const file = `contracts/src/${name}.sol`
  const artifact = JSON.parse(readFileSync(`${root}contracts/out/${name}.sol/${name}.json`, 'utf8'))
  const { language, sources, settings } = JSON.parse(artifact.rawMetadata)
  const { compilationTarget: _, ...rest } = settings
  const input = {
    language,
    sources: Object.fromEntries(
      Object.keys(sources).map((path) => [path, { content: readFileSync(root + path, 'utf8') }]),
    ),
    settings: { ...rest, outputSelection: { [file]: { [name]: ['evm.bytecode', 'evm.deployedBytecode'] } } },
  }
  const { evm } = JSON.parse(solc.compile(JSON.stringify(input))).contracts[file][name]
  return { creation: evm.bytecode.object, runtime: evm.deployedBytecode }
}

function withoutImmutables(code: string, { immutableReferences = {} }: Code) {
  const bytes = Buffer.from(code.replace(/^0x/, ''), 'hex')
  for (const { start, length } of Object.values(immutableReferences).flat())
    bytes.fill(0, start, start + length)
  return bytes.toString('hex')
}

test('a dry run sends nothing and prints the contracts that a broadcast deploys; their sources compile to the deployed code', async () => {
  const planned = contractsIn(await runScript())
  expect(planned.map(({ name }) => name).sort()).toEqual([
    'BridgeAdapter',
    'BridgeExecutor',
    'Create3Factory',
    'Credits',
    'CreditsExtension',
    'CustomerEscrow',
    'PaymentSettlement',
  ])
  const codeAt = (address: Address) => anvil.request({ method: 'eth_getCode', params: [address, 'latest'] })
  for (const { address } of planned) expect(await codeAt(address)).toBe('0x')

  expect(contractsIn(await runScript('--broadcast', '--private-key', deployerKey))).toEqual(planned)

  const last = Number(await anvil.request({ method: 'eth_blockNumber' }))
  const created: string[] = []
  for (let block = 1; block <= last; block++) {
    const traces = await anvil.request({ method: 'trace_block', params: [`0x${block.toString(16)}`] })
    for (const { type, action } of traces as { type: string; action: { init: string } }[])
      if (type === 'create') created.push(action.init)
  }
  for (const { name, address, args } of planned) {
    const { creation, runtime } = compile(name)
    const deployed = (await codeAt(address)) as string
    expect(withoutImmutables(deployed, runtime), name).toBe(withoutImmutables(runtime.object, runtime))
    expect(
      created.includes(`0x${creation}${args.slice(2)}`),
      `${name} was created with the printed arguments`,
    ).toBe(true)
  }
})

// node check.mjs NAME FILE: checks a file that an agent wrote for a task. Exits with 0 if the file passes.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startSandbox } from '@redeemkit/sandbox'
import { createPublicClient, http, parseAbi } from 'viem'

const [name = '', file = ''] = process.argv.slice(2)
const {
  check,
  blockchains = ['base'],
  plans = [],
} = await import(new URL(`./checks/${name}.mjs`, import.meta.url).href)
const path = resolve(file)
const sandbox = await startSandbox({ blockchains, plans, bridge: false })
const { base } = sandbox.chains
const publicClient = createPublicClient({ transport: http(base.rpcUrl) })
const erc20 = parseAbi(['function balanceOf(address) view returns (uint256)'])

/** In raw units. */
const usdcOf = (account) =>
  publicClient.readContract({ address: base.usdc, abi: erc20, functionName: 'balanceOf', args: [account] })

let passed = false
try {
  await check({ sandbox, base, publicClient, usdcOf, path, load: () => import(pathToFileURL(path).href) })
  passed = true
} catch (error) {
  console.error(error)
} finally {
  await sandbox.stop()
}
console.log(passed ? `${name}: passed` : `${name}: failed`)
process.exit(passed ? 0 : 1)

/**
 * Changes one thing in the source at a time (a mutant), runs the unit tests that reach it, and lists the changes that they do not notice.
 * The arguments are folders or files; without one, all folders below. The exit code is 1 if a folder's share of noticed changes is too small.
 */
import { statSync } from 'node:fs'
import { Stryker } from '@stryker-mutator/core'

/** The share that has to be noticed, in percent: 95 where money is decided. The rest has changes that nothing can notice. */
const folders: Record<string, number> = {
  'src/redeemkit/redeem': 95,
  'src/redeemkit/evm': 95,
  'src/redeemkit/api': 90,
  'src/redeemkit/auth': 90,
  'src/redeemkit/merchant': 90,
  'src/redeemkit/wagmi': 90,
  'src/sandbox/simulation/rules': 90,
  'src/sandbox/service/redeem': 95,
  'src/sandbox/relayer': 95,
}

async function run(path: string): Promise<void> {
  const [folder, least] = Object.entries(folders).find(([name]) => `${path}/`.startsWith(`${name}/`)) ?? [path, 90]
  console.log(`${path}: at least ${least} % (${folder})`)
  await new Stryker({
    configFile: '.config/stryker.mjs',
    mutate: [statSync(path).isDirectory() ? `${path}/**/!(*.test|*.fixture).ts` : path],
    thresholds: { high: 100, low: least, break: least },
  }).runMutationTest()
}

const asked = process.argv.slice(2).map((path) => path.replace(/\/$/, ''))
for (const path of asked.length > 0 ? asked : Object.keys(folders)) await run(path)

#!/usr/bin/env node
// Runs forge in the repository's root: `node contracts/forge.mjs test`.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

export function forgePath() {
  const require = createRequire(import.meta.url)
  const machine = process.arch === 'x64' ? 'amd64' : process.arch
  const extension = process.platform === 'win32' ? '.exe' : ''
  const wrapper = require.resolve('@foundry-rs/forge/package.json')
  return createRequire(wrapper).resolve(
    `@foundry-rs/forge-${process.platform}-${machine}/bin/forge${extension}`,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const args = process.argv.slice(2)
  const env = { ...process.env }
  if (args[0] === 'coverage') {
    // Without the IR pipeline, the compiler reports that the stack is too deep.
    args.push('--ir-minimum')
    env.FOUNDRY_PROFILE ??= 'coverage'
  }
  // forge prints nothing while npm's solc compiles.
  if (args[0] === 'build')
    process.stderr.write('Building the contracts. The first build takes several minutes.\n')
  const { status } = spawnSync(forgePath(), args, { cwd, env, stdio: 'inherit' })
  process.exitCode = status ?? 1
}

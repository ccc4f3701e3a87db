import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diagnose, type Settings, wordsOf } from './diagnostics.ts'
import {
  createProject,
  entryPoints,
  exportNames,
  needsPackage,
  type PackageManager,
  type Project,
  packBoth,
  pinned,
  root,
  type Tarballs,
  tarballProblems,
} from './packages.ts'

/** Both packages as users get them: packed by one command, and installed outside of the repository. */

let tarballs: Tarballs

beforeAll(() => {
  tarballs = packBoth()
})

const importNames = (entryPoint: string) =>
  `console.log(Object.keys(await import('${entryPoint}')).sort().join('\\n'))`

const redeemOnce = `
  import { createPaymentsClient, redeem } from 'redeemkit'
  import { startSandbox } from '@redeemkit/sandbox'
  import { createPublicClient, http } from 'viem'
  const sandbox = await startSandbox({ bridge: false })
  const { base } = sandbox.chains
  const { alice, bob } = sandbox.accounts
  const client = createPaymentsClient({ baseUrl: sandbox.url, merchantId: sandbox.merchantId, blockchain: 'base' })
  const { outcome } = await redeem(client, {
    signer: alice.account,
    publicClient: createPublicClient({ transport: http(base.rpcUrl) }),
    chainId: base.chainId,
    pinned: base.pinned,
    subtotal: { cents: 1000 },
    usdcAmount: { cents: 400 },
    transactionData: { type: 'token', destination: bob.address },
  })
  await sandbox.stop()
  console.log(outcome.kind, outcome.amount, outcome.usdcAmount)`

/** Returns a program that prints errors at the start of the sandbox, and whether `redeemkit` recognizes them as redeemkit errors. */
const startFails = (options: string) => `
  import { BaseError } from 'redeemkit'
  import { startSandbox } from '@redeemkit/sandbox'
  try {
    await (await startSandbox(${options})).stop()
  } catch (error) {
    console.log(error instanceof BaseError, error.name, error.fix)
  }`

const ours = entryPoints.filter((entryPoint) => entryPoint.startsWith('redeemkit'))

describe('redeemkit alone', () => {
  let bare: Project
  let project: Project
  let bareWarnings: string[]
  let warnings: string[]
  beforeAll(() => {
    bare = createProject('npm')
    project = createProject('npm')
    bareWarnings = bare.install(pinned('viem'))
    warnings = project.install(tarballs.redeemkit, pinned('viem'))
  })
  afterAll(() => {
    bare?.remove()
    project?.remove()
  })

  // Half of the size, because npm installs noble 1 for viem in addition to redeemkit's noble 2, nested in each viem dependency
  // that needs it.
  test('adds at most 30 MB to viem alone', () => {
    const added = project.sizeOnDisk() - bare.sizeOnDisk()
    expect(added).toBeGreaterThan(1_000_000)
    expect(added).toBeLessThan(30_000_000)
  })

  test.each(ours)('an editor shows the whole documentation of %s', (entryPoint) => {
    const path = entryPoint.replace(/^redeemkit\/?/, '')
    const source = wordsOf(join(root, 'src/redeemkit', path, 'index.ts'))
    const packed = wordsOf(join(project.folder, 'node_modules/redeemkit/dist', path, 'index.d.ts'))
    expect([...source.values()].some((words) => words !== '')).toBe(true)
    expect(Object.fromEntries(packed)).toEqual(Object.fromEntries(source))
  })

  test('adds no warning and no install script', () => {
    expect(warnings.filter((line) => !bareWarnings.includes(line))).toEqual([])
    const lockfile = readFileSync(join(project.folder, 'package-lock.json'), 'utf8')
    expect(lockfile).toContain('node_modules/redeemkit')
    expect(lockfile).not.toContain('hasInstallScript')
  })
})

describe.each<PackageManager>(['npm', 'pnpm'])('installed with %s', (packageManager) => {
  let project: Project
  beforeAll(() => {
    project = createProject(packageManager)
    project.install(tarballs.redeemkit, tarballs.sandbox, pinned('viem'), pinned('@types/node'))
  })
  afterAll(() => project?.remove())

  describe('without the optional packages', () => {
    const usable = entryPoints.filter((entryPoint) => needsPackage[entryPoint] === undefined)

    test.each(usable)(
      'plain Node can import %s, and it exports the same names as the source',
      (entryPoint) => {
        expect(project.run(importNames(entryPoint))).toBe(exportNames(entryPoint))
      },
    )

    test('the declarations are complete', () => {
      const { ours } = diagnose(project.folder, usable, { types: 'node', moduleResolution: 'nodenext' })
      expect(ours).toEqual([])
    })

    test("each comment of the sandbox's declarations is on separate lines", () => {
      const dist = join(project.folder, 'node_modules/@redeemkit/sandbox/dist')
      const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
        /\.d\.ts$/.test(path),
      )
      expect(files.length).toBeGreaterThan(20)
      const beside = files.filter((path) => /\S +\/\*\*|\*\/\S/.test(readFileSync(join(dist, path), 'utf8')))
      expect(beside).toEqual([])
    })

    test('a redeem succeeds, with service and chain', () => {
      expect(project.run(redeemOnce)).toBe('token 10000000n 4000000n\n')
    })

    test("the program of redeemkit's README pays", () => {
      const readme = readFileSync(join(project.folder, 'node_modules/redeemkit/README.md'), 'utf8')
      const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readme) ?? []
      expect(project.run(program)).toMatch(/^paid 0x[0-9a-f]{64} 10000000n 4000000n\n$/)
    })

    test("the program of the sandbox's README runs", () => {
      const readme = readFileSync(join(project.folder, 'node_modules/@redeemkit/sandbox/README.md'), 'utf8')
      const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readme) ?? []
      expect(project.run(program)).toMatch(/^http:\/\/127\.0\.0\.1:\d+ sandbox-shop /)
    })

    test('an error of the sandbox is a redeemkit error', () => {
      expect(project.run(startFails('{ blockchains: [] }'))).toMatch(/^true InvalidSandboxOptionsError/)
    })

    test('the command shows its help and its version', () => {
      const { version } = JSON.parse(readFileSync(join(root, 'src/sandbox/package.json'), 'utf8'))
      expect(project.command('redeemkit', '--help')).toMatchObject({
        status: 0,
        output: expect.stringContaining('npx redeemkit demo'),
      })
      expect(project.command('redeemkit', '--version').output).toContain(version)
    })

    test('the command contains the licences of its bundled packages', () => {
      const command = join(project.folder, 'node_modules/@redeemkit/sandbox/dist/cli')
      const licences = readFileSync(join(command, 'THIRD_PARTY_LICENSES.txt'), 'utf8')
      const viem = readFileSync(join(project.folder, 'node_modules/viem/LICENSE'), 'utf8')
      expect(licences).toContain(`${pinned('viem').replace('@', ' ')} (MIT)\n\n${viem.trim()}`)
    })

    test.each([['demo'], ['sandbox', '--port', '0', '--with', 'stellar']])(
      'redeemkit %s names the command that installs the missing package',
      (...words) => {
        const { status, output } = project.command('redeemkit', ...words)
        expect(output).toContain('npm install @stellar/stellar-sdk')
        expect(output).not.toContain('ERR_MODULE_NOT_FOUND')
        expect(status).toBe(2)
      },
    )

    test('a missing chain program is reported with the command to install it', (context) => {
      if (packageManager !== 'npm')
        return context.skip('pnpm keeps the program outside of the project; npm shows the error')
      const folder = join(project.folder, 'node_modules/@foundry-rs')
      renameSync(folder, `${folder}-away`)
      try {
        expect(project.run(startFails('{ bridge: false }'))).toBe(
          'true AnvilNotInstalledError Run `npm install --include=optional`. Linux, macOS and Windows are supported.\n',
        )
      } finally {
        renameSync(`${folder}-away`, folder)
      }
    })
  })

  describe('with the optional packages', () => {
    const peers = Object.values(needsPackage).flat()
    beforeAll(() => {
      project.install(...peers.map(pinned))
    })

    test.each(Object.keys(needsPackage))('%s exports the same names as the source', (entryPoint) => {
      expect(project.run(importNames(entryPoint))).toBe(exportNames(entryPoint))
    })

    // Packages that fail to type-check: always Stellar's SDK, and viem's `ox` without DOM types.
    const settings: [Settings, string[]][] = [
      [{ types: 'node', moduleResolution: 'nodenext' }, ['@stellar/stellar-sdk', 'ox']],
      [{ types: 'node', moduleResolution: 'bundler' }, ['@stellar/stellar-sdk', 'ox']],
      [{ types: 'DOM', moduleResolution: 'nodenext' }, ['@stellar/stellar-sdk']],
      [{ types: 'DOM', moduleResolution: 'bundler' }, ['@stellar/stellar-sdk']],
    ]
    // The package manager affects which packages are found, not how they are read, so one setting is enough for other package managers.
    test.each(packageManager === 'npm' ? settings : settings.slice(0, 1))(
      'the declarations pass the type check under %o',
      (setting, theirs) => {
        expect(diagnose(project.folder, entryPoints, setting)).toEqual({ ours: [], theirs })
      },
    )

    test('the demo succeeds', () => {
      const { status, output } = project.command('redeemkit', 'demo')
      expect(output).toContain('All checks passed')
      expect(status).toBe(0)
    })
  })
})

test.each(['redeemkit', 'sandbox'] as const)(
  'publint finds nothing in %s, and types resolve for every entry point',
  (name) => {
    expect(tarballProblems(name, tarballs[name])).toEqual([])
  },
)

#!/usr/bin/env node
// Breaks the contracts in many small ways and reports what no test notices: `node contracts/mutate.mjs`.
// Works in a temporary copy. See mutants/README.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { forgePath } from './forge.mjs'
import { instrument, SWITCH } from './mutants/instrument.mjs'
import { findMutants, spread } from './mutants/operators.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const sourceFolder = 'contracts/src'

/** The share of the mutants that the tests must kill. */
const GOALS = { unit: 1, invariants: 2 / 3 }

/**
 * The tests that run against each mutant. Excluded: gas snapshots, which fail on any change; `RandomNonceCredits`, whose third-party
 * contracts are compiled only when forge runs all tests; and `RedeemTest`, which contains compiled code without mutants.
 */
const SUITES = {
  unit: [
    '--no-match-path',
    'contracts/test/{Invariants,PaymentInvariants,Gas,RandomNonceCredits,RedeemTest*}.t.sol',
    // Compares a code hash, which every mutant changes.
    '--no-match-test',
    'test_factory_isTheSameAsEver',
  ],
  invariants: ['--match-path', 'contracts/test/{Invariants,PaymentInvariants}.t.sol'],
}
const LIMITS = {
  FOUNDRY_FUZZ_RUNS: '32',
  FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0',
}
/** Tests only every second mutant, because all of them take hours. */
const EACH = 2
const TIMEOUT_MS = 180_000

const running = new Set()

const USAGE = `node contracts/mutate.mjs [--unit] [--invariants] [--only TEXT] [--jobs N]
  --unit, --invariants  run only these tests; both without
  --each N              at most N mutants of a function, spread over it (${EACH}); 0 for all of them
  --only TEXT           mutants whose line in the report contains the text; can be given several times
  --jobs N              parallel processes; default: one for each core
  --folder PATH         keeps the copy there, so that the next run compiles only what changed`

const { values: options } = parseArgs({
  options: {
    unit: { type: 'boolean' },
    invariants: { type: 'boolean' },
    each: { type: 'string', default: String(EACH) },
    only: { type: 'string', multiple: true },
    jobs: { type: 'string', default: String(availableParallelism()) },
    folder: { type: 'string' },
    help: { type: 'boolean' },
  },
})

if (options.help) print(USAGE)
else process.exitCode = await main()

async function main() {
  const started = Date.now()
  const files = await parse()
  const found = findMutants(files).map((mutant, index) => ({ ...mutant, id: index + 1 }))
  const equivalents = readEquivalents(found)
  const tried = choose(found.filter(({ id }) => !equivalents.has(id)))
  const names = Object.keys(SUITES).filter((name) => options[name] || (!options.unit && !options.invariants))
  const folder = workFolder()
  progress(`${found.length} mutants, ${tried.length} to try; compiling`)
  await build(folder, files, tried)
  await expectGreen(folder, names)
  progress(`compiled after ${secondsSince(started)} s`)

  const results = await runAll(folder, tried, names, started)
  let status = 0
  for (const name of names) {
    const survivors = results.filter(({ killedBy }) => killedBy[name] === null)
    const killed = tried.length - survivors.length
    print(`${name}: ${killed} of ${tried.length} killed`)
    for (const { mutant } of survivors) print(`  survives: ${nameOf(mutant)}`)
    const wanted = Math.ceil(GOALS[name] * tried.length)
    if (killed >= wanted) continue
    progress(`${name} should kill ${wanted} of ${tried.length}`)
    status = 1
  }
  print(`${found.length} mutants, ${equivalents.size} of them equivalent; ${secondsSince(started)} s`)
  return status
}

function choose(mutants) {
  const { only, each } = options
  if (only) return mutants.filter((mutant) => only.some((text) => nameOf(mutant).includes(text)))
  return each === '0' ? mutants : spread(mutants, Number(each))
}

/** When this process ends, forge is stopped and the folder is removed. */
function workFolder() {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'mutants-'))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL')
    if (!options.folder) rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Interfaces have no mutants, but the compiler needs them. */
async function parse() {
  const { default: solc } = await import('solc')
  const names = readdirSync(`${root}${sourceFolder}`).filter((name) => name.endsWith('.sol'))
  const sources = Object.fromEntries(
    names.map((name) => [
      `${sourceFolder}/${name}`,
      { content: readFileSync(`${root}${sourceFolder}/${name}`, 'ascii') },
    ]),
  )
  const input = { language: 'Solidity', sources, settings: { outputSelection: { '*': { '': ['ast'] } } } }
  const findImport = (path) => ({ contents: readFileSync(`${root}node_modules/${path}`, 'utf8') })
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }))
  const problem = output.errors?.find(({ severity }) => severity === 'error')
  if (problem) throw new Error(problem.formattedMessage)
  return new Map(
    Object.entries(sources).map(([file, { content }]) => [
      file,
      { source: content, ast: output.sources[file].ast },
    ]),
  )
}

/** Returns the ids of mutants that behave like the original. An entry that matches no mutant is out of date, which is an error. */
function readEquivalents(all) {
  const entries = JSON.parse(readFileSync(`${root}contracts/mutants/equivalent.json`, 'utf8'))
  const ids = new Set()
  for (const entry of entries) {
    const fitting = all.filter((mutant) =>
      ['file', 'function', 'original', 'mutant'].every((field) => entry[field] === mutant[field]),
    )
    if (fitting.length === 0)
      throw new Error(`equivalent.json names a mutant that does not exist: remove ${nameOf(entry)}`)
    for (const { id } of fitting) ids.add(id)
  }
  return ids
}

async function build(folder, files, all) {
  for (const part of [
    'contracts/test',
    'contracts/script',
    'contracts/gas',
    'test/vectors',
    'foundry.toml',
  ]) {
    cpSync(`${root}${part}`, join(folder, part), { recursive: true })
  }
  // Copies earlier output, so that unchanged files are not compiled again.
  if (!existsSync(join(folder, 'contracts/out')) && existsSync(`${root}contracts/out`)) {
    for (const part of ['contracts/out', 'contracts/cache'])
      cpSync(`${root}${part}`, join(folder, part), { recursive: true })
  }
  cpSync(
    `${root}node_modules/@openzeppelin/contracts`,
    join(folder, 'node_modules/@openzeppelin/contracts'),
    { recursive: true },
  )
  mkdirSync(join(folder, sourceFolder), { recursive: true })
  writeFileSync(join(folder, sourceFolder, 'Mutant.sol'), SWITCH)
  for (const [file, { source }] of files) writeFileSync(join(folder, file), instrument(file, source, all))
  const child = start(['build', '--quiet'], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error('the mutants do not compile')
}

/** A test that fails without a mutant would seem to kill all mutants. */
async function expectGreen(folder, names) {
  for (const name of names) {
    const failure = await test(folder, name, 0)
    if (failure !== null) throw new Error(`${name} fails without a mutant: ${failure}`)
  }
}

async function runAll(folder, tried, names, started) {
  const results = []
  const queue = [...tried]
  // forge writes into its folder, so each parallel process needs its own.
  async function work(_, index) {
    const own = index === 0 ? folder : join(folder, `copy${index}`)
    if (index !== 0) {
      for (const part of ['contracts', 'test', 'node_modules', 'foundry.toml']) {
        cpSync(join(folder, part), join(own, part), { recursive: true, preserveTimestamps: true })
      }
    }
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const killedBy = {}
      for (const name of names) killedBy[name] = await test(own, name, mutant.id)
      results.push({ mutant, killedBy })
      const alive = names.filter((name) => killedBy[name] === null)
      if (alive.length > 0) progress(`survives ${alive.join(' and ')}: ${nameOf(mutant)}`)
      if (results.length % 25 === 0)
        progress(`${results.length} of ${tried.length} after ${secondsSince(started)} s`)
    }
  }
  await Promise.all(Array.from({ length: Number(options.jobs) }, work))
  return results.sort((a, b) => a.mutant.id - b.mutant.id)
}

/** Returns the first failure of a suite against a mutant, or null when all tests pass. */
function test(folder, name, id) {
  const parameters = [
    'test',
    ...SUITES[name],
    '--fail-fast',
    '--threads',
    '1',
    '--block-prevrandao',
    word(id),
  ]
  // forge replays earlier failures first, and they belong to a different mutant.
  const kept = {
    FOUNDRY_INVARIANT_FAILURE_PERSIST_DIR: `failures/${id}`,
    FOUNDRY_FUZZ_FAILURE_PERSIST_DIR: `failures/${id}`,
  }
  const env = { ...environment(), ...kept }
  const child = start(parameters, { cwd: folder, env, timeout: TIMEOUT_MS })
  let text = ''
  child.stdout.on('data', (data) => {
    text += data
  })
  child.stderr.on('data', (data) => {
    text += data
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(null)
      if (signal) return resolve('takes too long')
      const failure = /^\[FAIL.*$/m.exec(text)?.[0]
      if (failure) resolve(failure)
      else reject(new Error(`forge failed for a reason other than a test: ${text.slice(-2000)}`))
    })
  })
}

function start(parameters, settings) {
  const child = spawn(forgePath(), parameters, settings)
  running.add(child)
  child.on('close', () => running.delete(child))
  return child
}

function environment() {
  return { ...process.env, ...LIMITS, FOUNDRY_SOLC: `${root}contracts/solc.mjs` }
}

function word(id) {
  return `0x${id.toString(16).padStart(64, '0')}`
}

function nameOf({ file, line, function: name, operator, original, mutant }) {
  return `${file.slice(sourceFolder.length + 1)}${line ? `:${line}` : ''} ${name}: ${operator ?? ''} \`${original}\` → \`${mutant}\``
}

function progress(text) {
  process.stderr.write(`${text}\n`)
}

function print(text) {
  process.stdout.write(`${text}\n`)
}

function secondsSince(started) {
  return Math.round((Date.now() - started) / 1000)
}

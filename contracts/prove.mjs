#!/usr/bin/env node
// Proves the assertions of test/proofs with solc's SMTChecker and z3: `node contracts/prove.mjs`.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import solc from 'solc'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = 'contracts/test/proofs'

/** Parameters of z3. A query that takes minutes with one of these often takes a second with another. */
const STRATEGIES = [
  ['smt.arith.solver=2', 'smt.random_seed=5'],
  ['smt.random_seed=7'],
  ['smt.arith.solver=6', 'smt.random_seed=3'],
  [],
]
/** Seconds for each strategy in each round. The first round answers nearly every query. */
const ROUNDS = [5, 30, 120]
/** Codes of two warnings: a parameter that only an error uses (see `readable`), and the deprecation of this engine. */
const UNIMPORTANT = ['5667', '3993']

process.exitCode = main()

function main() {
  if (spawnSync('z3', ['--version']).status !== 0) {
    process.stderr.write('z3 is missing: apt-get install z3\n')
    return 1
  }
  const names = readdirSync(`${root}${folder}`).filter((name) => name.endsWith('.sol'))
  const proven = names.map(prove)
  return proven.length > 0 && proven.every(Boolean) ? 0 : 1
}

function prove(name) {
  const file = `${folder}/${name}`
  const source = readFileSync(`${root}${file}`, 'utf8')
  const { messages, answers, ast } = check(file, source)
  const verdicts = []
  print(file)
  for (const { title, assertions } of groupsOf(ast, source)) {
    print(`  ${title}`)
    for (const { text, start } of assertions) {
      const verdict = verdictOf(messages.filter(({ sourceLocation }) => sourceLocation?.start === start))
      verdicts.push(verdict)
      print(`    ${verdict.padEnd(8)}  ${text}`)
    }
  }
  const warnings = messages.filter(({ severity }) => severity !== 'info')
  for (const { formattedMessage } of warnings) print(withoutZeros(formattedMessage))
  const isProven =
    warnings.length === 0 &&
    verdicts.every((verdict) => verdict === 'proven') &&
    answers.every((answer) => answer === 'unsat')
  return isProven && isReachable(file, source, answers.length)
}

/** An assertion that no input can reach counts as proven, so this checks that every assertion can be reached. */
function isReachable(file, source, count) {
  const { answers } = check(file, withFalseAssertions(source))
  const reached = answers.filter((answer) => answer === 'sat').length
  print(`  z3 proved ${count} cases; ${reached} of them can occur`)
  return count > 0 && reached === count && answers.length === count
}

function verdictOf(messages) {
  if (messages.some(({ message }) => message.includes('violation happens'))) return 'violated'
  return messages.length > 0 && messages.every(({ severity }) => severity === 'info') ? 'proven' : 'unknown'
}

function check(file, source) {
  const answers = []
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: source } },
    settings: {
      outputSelection: { '*': { '': ['ast'] } },
      modelChecker: {
        contracts: { [file]: [file.slice(folder.length + 1, -'.sol'.length)] },
        engine: 'bmc',
        targets: ['assert'],
        solvers: ['smtlib2'],
        divModNoSlacks: true,
        showProvedSafe: true,
        showUnproved: true,
        showUnsupported: true,
      },
    },
  }
  const callbacks = {
    import: (path) => {
      const place = path.startsWith('@') ? `node_modules/${path}` : path
      return { contents: readable(readFileSync(`${root}${place}`, 'utf8')) }
    },
    smtSolver: (query) => {
      // One unknown answer fails the proof, so the queries after it get only the first round.
      const contents = solve(query, answers.includes('unknown') ? ROUNDS.slice(0, 1) : ROUNDS)
      answers.push(/^\w+/.exec(contents)?.[0])
      return { contents }
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), callbacks))
  const messages = (output.errors ?? []).filter(({ errorCode }) => !UNIMPORTANT.includes(errorCode))
  const problem = messages.find(({ severity }) => severity === 'error')
  if (problem) throw new Error(problem.formattedMessage)
  return { answers, messages, ast: output.sources[file].ast }
}

function solve(query, rounds) {
  for (const seconds of rounds) {
    for (const strategy of STRATEGIES) {
      const { stdout } = spawnSync('z3', ['-smt2', '-in', `-T:${seconds}`, ...strategy], {
        input: query,
        encoding: 'utf8',
      })
      if (/^(un)?sat\b/.test(stdout)) return stdout
    }
  }
  return 'unknown'
}

/** Replaces two statements that the SMTChecker ignores: `revert SomeError()`, and a write to a mapping through a pointer. */
function readable(source) {
  const text = source.replace(/\brevert [\w.]+\([^;]*\);/g, 'revert();')
  const pointers = [...text.matchAll(/\n *mapping\([^)]*\) storage (\w+) = ([^;]+);/g)]
  if (pointers.length === 0) return text
  if (pointers.length > 1) throw new Error('prove.mjs can replace only one pointer in a file')
  const [[declaration, name, target]] = pointers
  return text.replace(declaration, '').replaceAll(new RegExp(`\\b${name}\\[`, 'g'), `${target}[`)
}

/** Returns the source with assertions that fail, each in a different block, so that none hides the next. */
function withFalseAssertions(source) {
  const fail = (_, place) => `if (block.number == ${place}) assert(false);`
  return source.replace(/\bassert\(.*\);/g, fail).replace(/\bexternal pure\b/g, 'external view')
}

function groupsOf(ast, source) {
  const contract = ast.nodes.find(({ nodeType }) => nodeType === 'ContractDefinition')
  const groups = contract.nodes.map((node) => ({
    title: titleOf(node, contract.nodes),
    assertions: assertionsIn(node).map(({ src, arguments: [condition] }) => ({
      start: Number(src.split(':')[0]),
      text: read(condition, source),
    })),
  }))
  return groups.filter(({ assertions }) => assertions.length > 0)
}

function titleOf(node, all) {
  if (node.nodeType !== 'ModifierDefinition') return node.name || node.kind
  const users = all.filter(({ modifiers }) =>
    modifiers?.some(({ modifierName }) => modifierName.name === node.name),
  )
  return `${node.name}: ${users.map(({ name }) => name).join(', ')}`
}

function assertionsIn(node) {
  if (node === null || typeof node !== 'object') return []
  const isAssertion = node.nodeType === 'FunctionCall' && node.expression.name === 'assert'
  return isAssertion ? [node] : Object.values(node).flatMap(assertionsIn)
}

function read({ src }, source) {
  const [start, length] = src.split(':').map(Number)
  return source.slice(start, start + length)
}

function withoutZeros(text) {
  return text.replace(/^ .* = (0|false)\n/gm, '')
}

function print(text) {
  process.stdout.write(`${text}\n`)
}

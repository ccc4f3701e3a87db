import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { contents } from '../../docs/contents.ts'
import { includeFiles } from '../../docs/generate/includeFiles.ts'
import { sitePages } from '../../docs/generate/sitePages.ts'
import { ruleCatalogue } from '../../src/sandbox/simulation/rules/ruleCatalogue.ts'

/* The documentation shows the code that the tests run, and no other. The site's build checks its links and anchors. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')

const pages = new Map(
  readdirSync(`${root}docs/pages`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => [path.replaceAll('\\', '/'), read(`docs/pages/${path}`)]),
)
const texts = new Map([...pages, ['README.md', read('README.md')]])

/** The examples that are a single file. */
const tasks = readdirSync(`${root}examples`)
  .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  .map((name) => `examples/${name}`)

describe('code samples', () => {
  test('come from the examples: no page has its own TypeScript, JavaScript or Solidity', () => {
    const own = [...texts].flatMap(([path, text]) =>
      [...text.matchAll(/^ *```(?:tsx?|jsx?|mjs|cjs|solidity|sol)\b(?! file=)(.*)$/gm)].map(
        ([, info]) => `${path}: ${info}`,
      ),
    )
    expect(own).toEqual(['README.md:  title="examples/first-redeem.ts"'])
  })

  test("the README's sample equals the example", () => {
    const [, code] = /```ts title="examples\/first-redeem\.ts"\n([\s\S]*?)```/.exec(read('README.md')) ?? []
    expect(code).toBe(read('examples/first-redeem.ts'))
  })

  test('the first example, and each that calls a contract, simulate before the wallet is asked', () => {
    const calling = tasks.filter((path) =>
      /\b(?:normal|safeMint|returned|knownTokenId|decent)\(/.test(read(path)),
    )
    expect(calling.length).toBeGreaterThan(1)
    const without = ['examples/first-redeem.ts', ...calling].filter(
      (path) => !/\b(?:dryRun|simulateRedeem)\b/.test(read(path)),
    )
    expect(without).toEqual([])
  })

  test('every example that is a single file is shown on a page', () => {
    const shown = [...pages.values()].join('\n')
    expect(tasks.length).toBeGreaterThan(10)
    expect(tasks.filter((task) => !shown.includes(`file="${task}"`))).toEqual([])
  })

  test('a file or region that does not exist is refused', () => {
    const block = (info: string) => `\`\`\`ts ${info}\n\`\`\``
    expect(() => includeFiles('a.md', block('file="examples/none.ts"'))).toThrow(
      'a.md: the file examples/none.ts does not exist.',
    )
    expect(() => includeFiles('a.md', block('file="examples/run/list.ts" region="none"'))).toThrow(
      'has no region "none"',
    )
  })
})

test('the front page has at most 150 lines, and code of at most 110 columns', () => {
  const readme = read('README.md')
  const code = [...readme.matchAll(/^```.*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  expect(readme.split('\n').length).toBeLessThanOrEqual(151)
  expect(code.length).toBeGreaterThan(2)
  expect(code.flatMap((block) => block.split('\n')).filter((line) => line.length > 110)).toEqual([])
})

describe('pages', () => {
  const site = sitePages()

  test('are those of the table of contents', () => {
    const listed = contents.flatMap(({ folder, pages: names }) => names.map((name) => `${folder}/${name}.md`))
    const sections = [...site.keys()].filter((path) => /^protocol\/\d|^reference\/api\//.test(path))
    expect([...site.keys()].sort()).toEqual(['index.md', ...listed, ...sections].sort())
  })

  test('have a title and no empty code block', () => {
    for (const [path, text] of site) {
      if (path !== 'index.md') expect(text, path).toMatch(/^# \S/m)
      expect(text, path).not.toMatch(/```\w+ file=/)
    }
  })

  test('the API cites a section of the protocol by a link', () => {
    const api = [...site]
      .flatMap(([path, text]) => (path.startsWith('reference/api/') ? [text] : []))
      .join('\n')
    const cited = [...api.matchAll(/^- \*\*see\*\* (.*)$/gm)].map(([, text = '']) => text)
    expect(cited.length).toBeGreaterThan(50)
    expect(cited.filter((text) => /^[\d ]/.test(text))).toEqual([])
    expect(cited).toContainEqual(expect.stringMatching(/^\[PROTOCOL\.md 3\.5\]\(.*\.md#35-/))
  })

  test('the rules of a merchant contract are those of the catalogue', () => {
    const rows = [...(site.get('contract/rules.md') ?? '').matchAll(/^\| `(\w+)` \| .* \| (.*) \|$/gm)]
    expect(rows.map(([, code, fix]) => ({ code, fix }))).toEqual(
      ruleCatalogue.map(({ code, fix }) => ({ code, fix })),
    )
  })

  test('an error has an entry for each of its names', () => {
    const errors = site.get('reference/errors.md') ?? ''
    for (const name of ['OrderUsedError', 'OutcomeUnknownError', 'NotWhitelistedError', 'AnvilStartError'])
      expect(errors).toContain(`\n## ${name}\n`)
  })
})

test('pages name only npm scripts that exist', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const known = new Set([...Object.keys(scripts), 'ci', 'create', 'install', 'dev', 'init', 'pkg'])
  const named = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(/(?:^|`|&& )npm (?:run )?([a-z][a-z:]+)/gm)].flatMap(([, name = '']) =>
      known.has(name) ? [] : [`${path}: ${name}`],
    ),
  )
  expect(named).toEqual([])
})

test('the required versions of Node, viem and JavaScript are those of the packages', () => {
  const { engines, peerDependencies } = JSON.parse(read('src/redeemkit/package.json'))
  const others = [
    'CONTRIBUTING.md',
    'docs/dependencies.md',
    ...['redeemkit', 'sandbox'].flatMap((name) => [`src/${name}/README.md`, `src/${name}/AGENTS.md`]),
  ]
  const named = [...texts.values(), ...others.map(read)].flatMap((text) => [
    ...text.matchAll(/\b(Node|viem)`?(?: \|)? (\d+\.\d+)(?: or| and)(?: a)? newer/g),
  ])
  expect(named.length).toBeGreaterThan(12)
  const required = { Node: engines.node.slice(2), viem: peerDependencies.viem.slice(1, -2) }
  for (const [text, name, version] of named)
    expect([text, version]).toEqual([text, Object(required)[name ?? '']])
  const { target } = JSON.parse(read('tsconfig.json')).compilerOptions
  const languages = [...texts.values(), ...others.map(read)].flatMap(
    (text) => text.match(/\bES20\d\d\b/g) ?? [],
  )
  expect(languages.length).toBeGreaterThan(3)
  expect(new Set(languages)).toEqual(new Set([target]))
  expect(read('.config/tsdown.ts')).toContain(` target: '${target.toLowerCase()}'`)
  const { devDependencies } = JSON.parse(read('package.json'))
  expect(devDependencies['@types/node'].startsWith(`${required.Node}.`)).toBe(true)
  for (const manifest of ['package.json', 'src/sandbox/package.json', 'docs/package.json'])
    expect(JSON.parse(read(manifest)).engines, manifest).toEqual(engines)
  expect(read('.github/workflows/ci.yml')).toContain(` node: ["${required.Node}", `)
})

/** A docstring's example may show results as `f(x) // 'result'`, or on the next line. The tests compare them with the returned values. */
describe('docstring examples', () => {
  /** A complete statement, and its result. Results with further words are not compared. */
  const shown =
    /^(if \(.*?\) |)((?!\/\/|import |const |export |if )[^\s})\]].*(?:\n[ })\]].*)*?)(?: |\n)\/\/ ('[^'\n]*'|\d[\d_]*n?|true|false|[[{].*[\]}])$/gm

  const examples = readdirSync(`${root}src/redeemkit`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.includes('node_modules'))
    .flatMap((path) =>
      [...read(`src/redeemkit/${path}`).matchAll(/^ *\* *```ts\n([\s\S]*?)^ *\* *```$/gm)].map(
        ([, block = '']) => ({ path, code: block.replaceAll(/^ *\* ?/gm, '') }),
      ),
    )
    .filter(({ code }) => code.search(shown) >= 0)

  test('some show results', () => {
    expect(examples.length).toBeGreaterThan(25)
  })

  test.each(examples)('of $path return them', async ({ code }) => {
    const imports = [...code.matchAll(/^import \{([^}]+)\} from '([^']+)'$/gm)]
    const modules = await Promise.all(imports.map(([, , from = '']) => import(from)))
    const names = imports.flatMap(([, list = ''], at) =>
      list.split(',').map((name): [string, unknown] => [name.trim(), modules[at][name.trim()]]),
    )
    const body = code.replaceAll(/^import .*$/gm, '').replaceAll(shown, '$1results.push([await ($2), $3])')
    const { outputText } = ts.transpileModule(`const example = async () => {\n${body}\n}`, {
      compilerOptions: { target: ts.ScriptTarget.ES2022 },
    })
    const results: [actual: unknown, wanted: unknown][] = []
    const run = new Function('results', ...names.map(([name]) => name), `${outputText}\nreturn example()`)
    await run(results, ...names.map(([, value]) => value))
    expect(results).not.toEqual([])
    for (const [actual, wanted] of results) {
      const [start = '', end] = `${wanted}`.split('…')
      if (end !== undefined)
        expect(`${actual}`.startsWith(start) && `${actual}`.endsWith(end), `${actual}`).toBe(true)
      else expect(typeof actual === 'string' ? actual.replaceAll('\u00a0', ' ') : actual).toEqual(wanted)
    }
  })
})

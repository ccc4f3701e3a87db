import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** A docstring's example may show results as `f(x) // 'result'`, or on the next line. The tests compare them with the returned values. */

const folder = fileURLToPath(new URL('../../src/redeemkit', import.meta.url))

/** A complete statement, and its result. Results with further words are not compared. */
const shown =
  /^(if \(.*?\) |)((?!\/\/|import |const |export |if )[^\s})\]].*(?:\n[ })\]].*)*?)(?: |\n)\/\/ ('[^'\n]*'|\d[\d_]*n?|true|false|[[{].*[\]}])$/gm

const examples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.includes('node_modules'))
  .flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(/^ *\* *```ts\n([\s\S]*?)^ *\* *```$/gm)].map(
      ([, block = '']) => ({ path, code: block.replaceAll(/^ *\* ?/gm, '') }),
    ),
  )
  .filter(({ code }) => code.search(shown) >= 0)

test('there are examples with results', () => {
  expect(examples.length).toBeGreaterThan(25)
})

test.each(examples)('$path', async ({ code }) => {
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

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** Every `@example` of a docstring in `src` compiles as a file of its own, under the project's strict options. */

const root = fileURLToPath(new URL('../..', import.meta.url))

function examples(): Map<string, string> {
  const found = new Map<string, string>()
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files) {
    const blocks = readFileSync(file, 'utf8').matchAll(/^ *\* *```(tsx?)\n([\s\S]*?)^ *\* *```$/gm)
    for (const [index, [, language, block = '']] of [...blocks].entries()) {
      const code = block.replace(/^ *\* ?/gm, '')
      // Beside its source, so that package names resolve as they do there; a module even without an import.
      found.set(`${file.replace(/\.tsx?$/, '')}.example${index}.${language}`, `${code}\nexport {}\n`)
    }
  }
  return found
}

test('every example in a docstring compiles', () => {
  const virtual = examples()
  expect(virtual.size).toBeGreaterThan(50)
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(String(diagnostic.messageText))
      },
    },
  )
  if (config === undefined) throw new Error('tsconfig.json cannot be read.')
  const host = ts.createCompilerHost(config.options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => virtual.has(name) || fileExists.call(host, name)
  host.readFile = (name) => virtual.get(name) ?? readFile.call(host, name)
  host.getSourceFile = (name, options, ...rest) => {
    const code = virtual.get(name)
    return code === undefined
      ? getSourceFile.call(host, name, options, ...rest)
      : ts.createSourceFile(name, code, options)
  }
  const program = ts.createProgram([...virtual.keys()], config.options, host)
  const problems = [...virtual.keys()].flatMap((name) => {
    const source = program.getSourceFile(name)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${relative(root, name)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  })
  expect(problems).toEqual([])
}, 120_000)

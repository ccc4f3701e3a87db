import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

export type Diagnostics = {
  /** In redeemkit's declarations, or in the consumer's own lines. */
  ours: readonly string[]
  /** Other packages that fail to type-check under these options. */
  theirs: readonly string[]
}

export type Settings = {
  /** A browser project has the DOM types, a server project has Node's types. */
  types: 'DOM' | 'node'
  moduleResolution: 'bundler' | 'nodenext'
}

/** Type-checks a project that imports these entry points, strictly and with all declarations (`skipLibCheck: false`). */
export function diagnose(folder: string, imports: readonly string[], settings: Settings): Diagnostics {
  const file = join(folder, 'consumer.ts')
  const lines = imports.map((name, index) => `export * as entry${index} from '${name}'`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  try {
    const program = ts.createProgram([file], optionsOf(folder, settings))
    const ours = new Set<string>()
    const theirs = new Set<string>()
    for (const { file: at, messageText } of ts.getPreEmitDiagnostics(program)) {
      const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(at?.fileName ?? '') ?? []
      if (name === undefined || /^@?redeemkit(\/|$)/.test(name))
        ours.add(`${at?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
      else theirs.add(name)
    }
    return { ours: [...ours], theirs: [...theirs].sort() }
  } finally {
    rmSync(file)
  }
}

/** Type-checks files of a project, and returns only the errors in their own lines. `diagnose` checks the packages' declarations. */
export function diagnoseFiles(
  folder: string,
  files: readonly string[],
  settings: Settings,
): readonly string[] {
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    {
      ...optionsOf(folder, settings),
      jsx: ts.JsxEmit.ReactJSX,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
  )
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, ' ')
    return `${file?.fileName ?? ''}: ${text}`
  })
}

/** The comments that an editor shows, by names such as `redeemkit/evm formatUsd`. */
export function wordsOf(file: string): ReadonlyMap<string, string> {
  const program = ts.createProgram([file], {
    ...optionsOf(dirname(file), { types: 'DOM', moduleResolution: 'bundler' }),
    jsx: ts.JsxEmit.ReactJSX,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${file} exports nothing.`)
  return new Map(
    checker.getExportsOfModule(module).map((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const parts = [
        ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        ...symbol.getJsDocTags(checker).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`),
      ]
      // Rewritten links have different whitespace.
      return [exported.name, parts.join(' ').replaceAll(/\s+/g, '')]
    }),
  )
}

function optionsOf(folder: string, { types, moduleResolution }: Settings): ts.CompilerOptions {
  const bundler = moduleResolution === 'bundler'
  return {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', ...(types === 'DOM' ? ['lib.dom.d.ts', 'lib.dom.iterable.d.ts'] : [])],
    module: bundler ? ts.ModuleKind.ESNext : ts.ModuleKind.NodeNext,
    moduleResolution: bundler ? ts.ModuleResolutionKind.Bundler : ts.ModuleResolutionKind.NodeNext,
    types: types === 'node' ? ['node'] : [],
    typeRoots: [join(folder, 'node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  }
}

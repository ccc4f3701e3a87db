import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** What a consumer's type checker says, as one line for each file that it names. */
export type Diagnostics = {
  /** About our own declarations, or about the consumer's own lines. */
  ours: readonly string[]
  /** Names of other packages that do not check under these options, whatever we do. */
  theirs: readonly string[]
}

export type Settings = {
  /** A browser's project has the DOM's types, a server's has Node's. */
  types: 'DOM' | 'node'
  moduleResolution: 'bundler' | 'nodenext'
}

/** Type-checks, strictly and with all declarations (`skipLibCheck: false`), a project that imports these entry points. */
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

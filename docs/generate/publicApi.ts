import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const src = fileURLToPath(new URL('../../src', import.meta.url))

/** The exports of an entry point's source, sorted: name → its declarations. */
export function publicExports(path: string): Map<string, ts.Statement[]> {
  const files = [...exportsOf(join(src, '..', path))].sort(([a], [b]) => a.localeCompare(b))
  return new Map(
    files.map(([name, file]) => [
      name,
      sourceOf(file).statements.filter((one) => namesOf(one).includes(name)),
    ]),
  )
}

export function isErrorClass(name: string, declarations: ts.Statement[]): boolean {
  return name.endsWith('Error') && declarations.some(ts.isClassDeclaration)
}

/** Name → the file that declares it, also through re-exports. Names from other packages, such as viem's types, are left out. */
function exportsOf(path: string): Map<string, string> {
  const found = new Map<string, string>()
  const add = (name: string, file: string | undefined) => file !== undefined && found.set(name, file)
  for (const statement of sourceOf(path).statements) {
    if (!ts.isExportDeclaration(statement)) for (const name of declaredNames(statement)) add(name, path)
    else if (statement.exportClause === undefined)
      for (const [name, file] of exportsOf(moduleOf(statement, path) ?? '')) add(name, file)
    else if (ts.isNamedExports(statement.exportClause))
      for (const { name } of statement.exportClause.elements)
        add(
          name.text,
          statement.moduleSpecifier === undefined
            ? importedFrom(name.text, path)
            : through(statement, name.text, path),
        )
  }
  return found
}

/** The file that declares a name which the file at `path` imports and exports again. */
function importedFrom(name: string, path: string): string | undefined {
  for (const statement of sourceOf(path).statements) {
    if (namesOf(statement).includes(name)) return path
    const named = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined
    if (
      named !== undefined &&
      ts.isNamedImports(named) &&
      named.elements.some((element) => element.name.text === name)
    )
      return through(statement as ts.ImportDeclaration, name, path) // it has bindings
  }
  return undefined
}

function through(
  statement: ts.ExportDeclaration | ts.ImportDeclaration,
  name: string,
  path: string,
): string | undefined {
  const target = moduleOf(statement, path)
  return target === undefined ? undefined : exportsOf(target).get(name)
}

function moduleOf(
  { moduleSpecifier: from }: ts.ExportDeclaration | ts.ImportDeclaration,
  path: string,
): string | undefined {
  if (from === undefined || !ts.isStringLiteral(from)) return undefined
  const target = join(dirname(path), from.text)
  return existsSync(target) ? target : undefined
}

function declaredNames(statement: ts.Statement): string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  return isExported === true ? namesOf(statement) : []
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  const { name } = statement as ts.Statement & { name?: ts.Node } // functions, classes, types and namespaces have one
  return name === undefined ? [] : [name.getText()]
}

/** JSDoc as Markdown: the text, then parameters, result, errors and examples. */
export function docsText(node: ts.Node): string {
  const blocks = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const lines = blocks.flatMap(({ comment, tags }) => [
    plain(comment),
    ...(tags ?? []).map((tag) => {
      const label = tag.tagName.text
      if (label === 'example') return plain(tag.comment)
      const text = plain(tag.comment).replaceAll(/(?<!\n)\n(?!\n)/g, ' ')
      if (ts.isJSDocParameterTag(tag)) return `- \`${tag.name.getText()}\`: ${text}`
      return `- **${label === 'seeText' ? 'see' : label}** ${text}`
    }),
  ])
  return lines
    .filter((line) => line !== '')
    .join('\n\n')
    .replaceAll(/\n\n(?=- )/g, '\n')
    .replace(/\n(?=- )/, '\n\n')
}

function plain(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  return (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\{@link (\w+)\}/g, '`$1`').trim()
}

const sources = new Map<string, ts.SourceFile>()

function sourceOf(path: string): ts.SourceFile {
  const known = sources.get(path)
  if (known !== undefined) return known
  // The parser reads `@throws {@link X}` as a type, and the first words of `@see` as a name.
  const text = readFileSync(path, 'utf8')
    .replaceAll(/@throws \{@link (\w+)\}/g, '@throws `$1`')
    .replaceAll('@see ', '@seeText ')
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  sources.set(path, source)
  return source
}

/** A source file by its path below `src`. */
export function sourceFile(path: string): ts.SourceFile {
  return sourceOf(join(src, path))
}

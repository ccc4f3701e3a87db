import ts from 'typescript'
import { entryPoints } from '../../.config/entryPoints.ts'
import { docsText, isErrorClass, publicExports } from './publicApi.ts'

/** A page for each entry point: every export with its JSDoc and its declaration. Errors are on a page of their own. */
export function apiPages(): Map<string, string> {
  const pages = Object.entries(entryPoints).map(([name, path]) => {
    // Functions and constants come before types.
    const exports = [...publicExports(path)].sort(
      ([a], [b]) => Number(/^[A-Z]/.test(a)) - Number(/^[A-Z]/.test(b)),
    )
    const errors = exports.flatMap(([entry, declarations]) =>
      isErrorClass(entry, declarations) ? [entry] : [],
    )
    const others = exports
      .filter(([entry]) => !errors.includes(entry))
      .map(([entry, found]) => section(entry, found))
    const list = errors.map((entry) => `[\`${entry}\`](../errors.md#${entry.toLowerCase()})`).join(', ')
    const text = [`# ${name}`, '', ...others, ...(list === '' ? [] : ['## Errors', '', list, ''])].join('\n')
    return [pageName(name), text] as const
  })
  const list = Object.keys(entryPoints).map((name) => `- [\`${name}\`](./${pageName(name)}.md)`)
  return new Map([
    ...pages,
    ['index', `# API\n\nOne page for each entry point, generated from the source.\n\n${list.join('\n')}\n`],
  ])
}

/** Name of an entry point's page, without folder and extension. */
export function pageName(entryPoint: string): string {
  return entryPoint.replace('@', '').replaceAll('/', '-')
}

function section(name: string, declarations: ts.Statement[]): string {
  const code = declarations.map(declarationText)
  const docs = declarations.map(docsText).filter((text) => text !== '')
  return [
    `## ${name}`,
    '',
    ...docs.flatMap((text) => [text, '']),
    '```ts',
    code.join('\n\n'),
    '```',
    '',
  ].join('\n')
}

/** The declaration without bodies and values. */
function declarationText(statement: ts.Statement): string {
  const text = statement.getText()
  if (ts.isFunctionDeclaration(statement) && statement.body !== undefined)
    return withoutExport(text.slice(0, statement.body.getStart() - statement.getStart()).trimEnd())
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(constText).join('\n')
  if (ts.isClassDeclaration(statement)) return withoutExport(`${text.slice(0, text.indexOf('{'))}{ … }`)
  return withoutExport(text)
}

function constText({ name, type, initializer }: ts.VariableDeclaration): string {
  if (type !== undefined) return `const ${name.getText()}: ${type.getText()}`
  const value = initializer?.getText() ?? ''
  return `const ${name.getText()} = ${value.split('\n').length > 12 ? '…' : value}`
}

function withoutExport(text: string): string {
  return text.replace(/^export (?:declare )?/, '')
}

import ts from 'typescript'
import { docsText, sourceFile } from './publicApi.ts'

/** The page of all options, from the types that declare them. */
export function configurationPage(): string {
  return `# Configuration

The options of client, pinned values and sandbox, generated from their types. A name with \`?\` is optional.

## Client

\`createPaymentsClient(options)\`. \`createRedeemkit(options)\` of \`redeemkit/wagmi\` and \`redeemkit/react\` takes the same, and \`pins\`, \`storage\`, \`messages\` and \`onEvent\`.

${table('redeemkit/api/clientOptions.ts', ['ClientOptions'])}

### Retries

${table('redeemkit/api/clientOptions.ts', ['RetryOptions'])}

## Pinned values

\`pinned\` of \`redeem\` and its steps, and each entry of \`pins\`. They come from your own configuration, never from a response of the service.

${table('redeemkit/evm/creditPermit/inspectOptions.ts', ['RedeemPins'])}

## Sandbox

\`startSandbox(options)\`. [The command's options](./cli.md#sandbox) are the most important ones.

${table('sandbox/startSandbox.ts', ['startSandbox', 'Options'])}

${table('sandbox/start/sandbox.ts', ['SandboxOptions'])}

### Merchants

The options of \`startSandbox\` for its first merchant, and of each further one in \`merchants\`. A missing key is the one stored in \`dataDir\`, or random.

${table('sandbox/merchantOptions.ts', ['SandboxMerchant'])}
`
}

/** The properties that a type itself declares. */
function table(path: string, [name = '', member]: [string, string?]): string {
  const rows: string[] = []
  const visit = (node: ts.Node, isInside: boolean): void => {
    if (
      ts.isTypeAliasDeclaration(node) &&
      node.name.text === (member ?? name) &&
      (isInside || member === undefined)
    )
      addRows(node.type)
    const isNamespace = ts.isModuleDeclaration(node) && node.name.text === name
    ts.forEachChild(node, (child) => visit(child, isInside || isNamespace))
  }
  const addRows = (type: ts.TypeNode): void => {
    if (ts.isIntersectionTypeNode(type)) for (const part of type.types) addRows(part)
    if (ts.isTypeLiteralNode(type)) for (const property of type.members) rows.push(row(property))
  }
  visit(sourceFile(path), false)
  if (rows.length === 0) throw new Error(`${path} does not declare the options ${name}.`)
  return ['| Option | Type | |', '|---|---|---|', ...rows].join('\n')
}

function row(property: ts.TypeElement): string {
  const { type } = property as ts.PropertySignature // option types have properties only
  const text =
    type
      ?.getText()
      .replaceAll(/\s+/g, ' ')
      .replace(/ \| undefined$/, '') ?? ''
  const cells = [
    `\`${property.name?.getText()}${property.questionToken === undefined ? '' : '?'}\``,
    `\`${text}\``,
    docsText(property),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`
}

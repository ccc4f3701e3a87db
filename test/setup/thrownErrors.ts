import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { folderBelow } from './importRules.ts'

/**
 * Finds the project's errors that a function can throw, by reading the source with the type checker: its `throw`s, its rejections in `new
 * Promise`, and those of every function of the project that it calls or passes on.
 *
 * Not counted: errors that a `catch` does not rethrow, and errors in handlers of a web application, which turns them into responses. Of
 * the methods of a type, it reads those that the type's folder writes as an object literal. It cannot read what a caller passes in, such
 * as a wallet, an adapter, or a scheme of another folder.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = `${root}src/`

export type ExportedFunction = {
  name: string
  file: string
  /** Members of its `ErrorType`; `undefined` if it has none. */
  declared: ReadonlySet<string> | undefined
  thrown: ReadonlySet<string>
}

export function exportedFunctions(entryPoints: readonly string[]): Map<string, ExportedFunction[]> {
  const { checker, program } = openProject()
  const exported = new Map(
    entryPoints.map((entryPoint) => {
      const file = program.getSourceFile(`${root}${entryPoint}`)
      const module = file && checker.getSymbolAtLocation(file)
      if (module === undefined) throw new Error(`Unknown entry point ${entryPoint}.`)
      const functions = checker.getExportsOfModule(module).flatMap((found) => {
        const symbol = resolveAlias(checker, found)
        const node = functionOf(symbol)
        if (node === undefined) return []
        const namespace = symbol.exports?.get(ts.escapeLeadingUnderscores('ErrorType'))
        return [
          {
            node,
            name: found.name,
            file: relative(root, node.getSourceFile().fileName),
            declared: namespace && errorNames(checker, checker.getDeclaredTypeOfSymbol(namespace)),
          },
        ]
      })
      return [entryPoint, functions] as const
    }),
  )
  const nodes = [...exported.values()].flat().map(({ node }) => node)
  const thrown = analyse(nodes, program, checker)
  return new Map(
    [...exported].map(([entryPoint, functions]) => [
      entryPoint,
      functions.map(({ node, ...one }) => ({ ...one, thrown: thrown.get(node) ?? new Set() })),
    ]),
  )
}

function openProject() {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => readFileSync(path, 'utf8'))
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram(
    fileNames.filter((name) => name.startsWith(source) && !/\.test\.tsx?$/.test(name)),
    { ...options, noEmit: true },
  )
  return { program, checker: program.getTypeChecker() }
}

type Body = ts.Node

/** Errors that a piece of source throws: its own, those of the functions it uses, and those that a `catch` lets through. */
type Outcome = {
  names: Set<string>
  refersTo: Set<Body>
  /** For each `try`: its outcome, and for each path through its `catch` the error classes that this path does not rethrow. */
  tries: { inner: Outcome; ways: readonly ReadonlySet<string>[] }[]
}

/** Adds the errors of used functions until none is added. */
function analyse(
  nodes: readonly Body[],
  program: ts.Program,
  checker: ts.TypeChecker,
): ReadonlyMap<Body, ReadonlySet<string>> {
  const implementations = implementationsOf(program, checker)
  const answered = answeredBy(program, checker, implementations)
  const outcomes = new Map<Body, Outcome>()
  const thrown = new Map<Body, Set<string>>()

  const read = (body: Body): void => {
    if (outcomes.has(body)) return
    const outcome = outcomeOf(body, { checker, implementations, answered })
    outcomes.set(body, outcome)
    thrown.set(body, new Set())
    const readAll = ({ refersTo, tries }: Outcome) => {
      for (const target of refersTo) read(target)
      for (const { inner } of tries) readAll(inner)
    }
    readAll(outcome)
  }
  const namesOf = ({ names, refersTo, tries }: Outcome): Set<string> => {
    const all = new Set(names)
    for (const target of refersTo) for (const name of thrown.get(target) ?? []) all.add(name)
    for (const { inner, ways } of tries)
      for (const name of namesOf(inner)) if (ways.some((without) => passes(name, without))) all.add(name)
    return all
  }
  for (const node of nodes) read(node)
  for (let grew = true; grew; ) {
    grew = false
    for (const [body, outcome] of outcomes) {
      const names = namesOf(outcome)
      if (names.size === thrown.get(body)?.size) continue
      thrown.set(body, names)
      grew = true
    }
  }
  return thrown
}

/** `BaseError` stands for every error of the project. */
function passes(name: string, without: ReadonlySet<string>): boolean {
  return !without.has(name) && !without.has('BaseError')
}

type Project = {
  checker: ts.TypeChecker
  implementations: ReadonlyMap<ts.Node, readonly Body[]>
  /** Implementations that are called by a web application's handlers: what they throw becomes an HTTP response. */
  answered: ReadonlySet<Body>
}

function outcomeOf(body: Body, project: Project): Outcome {
  const { checker, implementations, answered } = project
  const outcome: Outcome = { names: new Set(), refersTo: new Set(), tries: [] }
  const walk = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isTryStatement(node) && node.catchClause !== undefined) {
      const { variableDeclaration, block } = node.catchClause
      const ways = waysThrough(variableDeclaration?.name, block)
      outcome.tries.push({ inner: outcomeOf(node.tryBlock, project), ways })
      walk(block)
      if (node.finallyBlock !== undefined) walk(node.finallyBlock)
      return
    }
    // `attempt` and `Pauses.run` catch every error of their function; those of a route's handler become responses
    if (
      ts.isCallExpression(node) &&
      /^(?:attempt|pauses\.run|route|endpoint)$/.test(node.expression.getText())
    )
      return
    if (ts.isCallExpression(node) && isCatchCall(node)) {
      const [handler] = node.arguments
      const parameter = handler && ts.isFunctionLike(handler) ? handler.parameters[0]?.name : undefined
      const ways = handler === undefined ? [] : waysThrough(parameter, handler)
      outcome.tries.push({ inner: outcomeOf(node.expression.expression, project), ways })
      if (handler !== undefined) walk(handler)
      return
    }
    // a returned object or a local function throws where it is called, not here
    if (node !== body && (isCalledElsewhere(node) || answered.has(node) || isAppHandler(checker, node)))
      return
    if (ts.isThrowStatement(node))
      for (const name of namesThrown(checker, node.expression)) outcome.names.add(name)
    if (ts.isCallExpression(node)) {
      const member = memberCalled(checker, node)
      for (const target of (member && implementations.get(member)) ?? []) outcome.refersTo.add(target)
      const [reason] = node.arguments
      if (reason !== undefined && isRejection(checker, node))
        for (const name of namesThrown(checker, reason)) outcome.names.add(name)
    }
    if (ts.isIdentifier(node) && isExpression(node)) {
      const target = targetOf(checker, node)
      if (target !== undefined && target !== body) outcome.refersTo.add(target)
    }
    ts.forEachChild(node, walk)
  }
  walk(body)
  return outcome
}

/** The ways in which a `catch` rethrows its error, each with the classes that do not reach it. */
function waysThrough(variable: ts.BindingName | undefined, handler: ts.Node): ReadonlySet<string>[] {
  if (variable === undefined || !ts.isIdentifier(variable)) return []
  const variables = new Set([variable.text])
  const isVariable = (node: ts.Node) => ts.isIdentifier(node) && variables.has(node.text)
  const ways: ReadonlySet<string>[] = []
  const walk = (node: ts.Node): void => {
    // another name of the caught error: const ours = error instanceof X ? error : new Y()
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined)
      if (passesOn(node.initializer, isVariable)) variables.add(node.name.text)
    if (ts.isThrowStatement(node) && passesOn(node.expression, isVariable))
      ways.push(excludedBefore(node, isVariable))
    ts.forEachChild(node, walk)
  }
  walk(handler)
  return ways
}

/** Functions in object literals of the type's own folder, by the member of the type that they implement. */
function implementationsOf(program: ts.Program, checker: ts.TypeChecker): Map<ts.Node, Body[]> {
  const found = new Map<ts.Node, Body[]>()
  walkSource(program, (node) => {
    if (!ts.isObjectLiteralExpression(node)) return
    const types = partsOf(checker.getContextualType(node))
    for (const property of node.properties) {
      const { name } = property
      const body = implementationIn(property)
      if (body === undefined || name === undefined || !ts.isIdentifier(name)) continue
      for (const member of types.flatMap((type) => type.getProperty(name.text)?.declarations?.[0] ?? []))
        if (folderOf(member.getSourceFile()) === folderOf(node.getSourceFile()))
          found.set(member, [...(found.get(member) ?? []), body])
    }
  })
  return found
}

function implementationIn(property: ts.ObjectLiteralElementLike) {
  if (ts.isPropertyAssignment(property)) return property.initializer
  if (ts.isShorthandPropertyAssignment(property)) return property.name
  return ts.isMethodDeclaration(property) ? property : undefined
}

/** An `async` function returns its type or a promise of it. */
function partsOf(type: ts.Type | undefined): readonly ts.Type[] {
  if (type === undefined) return []
  return type.isUnion() ? type.types : [type]
}

/** The implementations of members that a web application's handlers call, such as `handle` of each route. */
function answeredBy(
  program: ts.Program,
  checker: ts.TypeChecker,
  implementations: ReadonlyMap<ts.Node, readonly Body[]>,
): Set<Body> {
  const found = new Set<Body>()
  const seen = new Set<ts.Node>()
  const walkHandler = (node: ts.Node): void => {
    const member = ts.isCallExpression(node) ? memberCalled(checker, node) : undefined
    for (const body of (member && implementations.get(member)) ?? []) found.add(body)
    // a handler may call a function that is declared next to it
    const target = ts.isIdentifier(node) && isExpression(node) ? targetOf(checker, node) : undefined
    if (
      target?.kind === ts.SyntaxKind.FunctionDeclaration &&
      !ts.isSourceFile(target.parent) &&
      !seen.has(target)
    ) {
      seen.add(target)
      walkHandler(target)
    }
    ts.forEachChild(node, walkHandler)
  }
  walkSource(program, (node) => {
    if (isAppHandler(checker, node)) walkHandler(node)
  })
  return found
}

/** A Hono application turns what the function throws into a response. */
function isAppHandler(checker: ts.TypeChecker, node: ts.Node): boolean {
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false
  const { parent } = node
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression)) return false
  const { expression: target, name } = parent.expression
  // what `onError` itself throws leaves the application
  if (!ts.isIdentifier(target) || name.text === 'onError') return false
  const app = checker.getTypeAtLocation(target).symbol
  return (
    app?.name === 'Hono' &&
    (app.declarations ?? []).some((one) => one.getSourceFile().fileName.includes('/node_modules/hono/'))
  )
}

function isRejection(checker: ts.TypeChecker, { expression }: ts.CallExpression): boolean {
  if (!ts.isIdentifier(expression)) return false
  const parameter = checker.getSymbolAtLocation(expression)?.valueDeclaration
  if (parameter === undefined || !ts.isParameter(parameter)) return false
  const { parent: executor } = parameter
  const { parent: promise } = executor
  return (
    executor.parameters[1] === parameter &&
    ts.isNewExpression(promise) &&
    promise.arguments?.[0] === executor &&
    ts.isIdentifier(promise.expression) &&
    promise.expression.text === 'Promise'
  )
}

function walkSource(program: ts.Program, visit: (node: ts.Node) => void): void {
  const walk = (node: ts.Node): void => {
    visit(node)
    ts.forEachChild(node, walk)
  }
  for (const file of program.getSourceFiles()) if (file.fileName.startsWith(source)) walk(file)
}

function folderOf(file: ts.SourceFile): string {
  return file.fileName.startsWith(source) ? folderBelow(file.fileName.slice(source.length)) : file.fileName
}

function memberCalled(checker: ts.TypeChecker, call: ts.CallExpression): ts.Node | undefined {
  const declaration = checker.getResolvedSignature(call)?.declaration
  return declaration && memberOf(declaration)
}

function memberOf(declaration: ts.Node): ts.Node | undefined {
  if (ts.isMethodSignature(declaration)) return declaration
  return ts.isFunctionTypeNode(declaration) && ts.isPropertySignature(declaration.parent)
    ? declaration.parent
    : undefined
}

/** Whether the thrown error can be the caught error itself, and not only have it as its cause. */
function passesOn(expression: ts.Expression, isVariable: (node: ts.Node) => boolean): boolean {
  if (isVariable(expression)) return true
  if (ts.isParenthesizedExpression(expression)) return passesOn(expression.expression, isVariable)
  if (ts.isConditionalExpression(expression))
    return passesOn(expression.whenTrue, isVariable) || passesOn(expression.whenFalse, isVariable)
  return false
}

/** The classes that a caught error cannot have where it is rethrown. */
function excludedBefore(node: ts.Node, isVariable: (node: ts.Node) => boolean): Set<string> {
  const names = new Set<string>()
  const classOf = (test: ts.Expression): string | undefined =>
    ts.isBinaryExpression(test) &&
    test.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword &&
    isVariable(test.left) &&
    ts.isIdentifier(test.right)
      ? test.right.text
      : undefined
  const { parent } = node
  // if (!(error instanceof X)) throw error
  if (ts.isIfStatement(parent) && ts.isPrefixUnaryExpression(parent.expression)) {
    const { operand } = parent.expression
    const name = classOf(ts.isParenthesizedExpression(operand) ? operand.expression : operand)
    if (name !== undefined) names.add(name)
  }
  // if (error instanceof X) return …; throw error
  if (ts.isBlock(parent))
    for (const statement of parent.statements) {
      if (statement === node) break
      if (!ts.isIfStatement(statement) || !leaves(statement.thenStatement)) continue
      const name = classOf(statement.expression)
      if (name !== undefined) names.add(name)
    }
  return names
}

function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement
  return (
    last !== undefined &&
    (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last))
  )
}

function isCatchCall(
  node: ts.CallExpression,
): node is ts.CallExpression & { expression: ts.PropertyAccessExpression } {
  return ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'catch'
}

/** True for a property of an object literal and for a named local function. */
function isCalledElsewhere(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node)) return true
  if (ts.isMethodDeclaration(node)) return !isInTable(node)
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false
  return ts.isVariableDeclaration(node.parent) || (ts.isPropertyAssignment(node.parent) && !isInTable(node))
}

/** A table is a constant of its module. Its functions are called through it. */
function isInTable(node: ts.Node): boolean {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isFunctionDeclaration(at)) return false
    if (ts.isVariableStatement(at)) return ts.isSourceFile(at.parent)
  }
  return false
}

/** A value is not a type, a key or a declaration. A property of a module that is loaded on demand also counts. */
function isExpression(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  return !(
    (ts.isVariableDeclaration(parent) || ts.isFunctionDeclaration(parent) || ts.isParameter(parent)) &&
    parent.name === node
  )
}

function targetOf(checker: ts.TypeChecker, node: ts.Identifier): Body | undefined {
  const found = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node)
  if (found === undefined) return undefined
  const symbol = resolveAlias(checker, found)
  const asFunction = functionOf(symbol)
  if (asFunction !== undefined) return asFunction
  const { valueDeclaration } = symbol
  return valueDeclaration !== undefined &&
    ts.isVariableDeclaration(valueDeclaration) &&
    valueDeclaration.initializer !== undefined &&
    ts.isSourceFile(valueDeclaration.parent.parent.parent) &&
    valueDeclaration.getSourceFile().fileName.startsWith(source)
    ? valueDeclaration.initializer
    : undefined
}

function functionOf(symbol: ts.Symbol): Body | undefined {
  for (const declaration of symbol.declarations ?? []) {
    if (!declaration.getSourceFile().fileName.startsWith(source)) continue
    if (ts.isFunctionDeclaration(declaration) && declaration.body !== undefined) return declaration
    if (
      ts.isVariableDeclaration(declaration) &&
      declaration.initializer &&
      ts.isFunctionLike(declaration.initializer)
    )
      return declaration.initializer
  }
  return undefined
}

function resolveAlias(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
}

/** Reads each branch separately, because a union with `BaseError` would hide the other classes. */
function namesThrown(checker: ts.TypeChecker, expression: ts.Expression): string[] {
  if (ts.isConditionalExpression(expression))
    return [expression.whenTrue, expression.whenFalse].flatMap((branch) => namesThrown(checker, branch))
  const declaration = ts.isIdentifier(expression)
    ? checker.getSymbolAtLocation(expression)?.valueDeclaration
    : undefined
  return declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    ts.isConditionalExpression(declaration.initializer)
    ? namesThrown(checker, declaration.initializer)
    : [...errorNames(checker, checker.getTypeAtLocation(expression))]
}

function errorNames(checker: ts.TypeChecker, type: ts.Type): Set<string> {
  const parts = type.isUnion() ? type.types : [type]
  return new Set(
    parts.flatMap((part) => {
      const name = part.symbol?.name
      // `BaseError` itself is never thrown: a caught error has been narrowed to it.
      return name !== undefined && name !== 'BaseError' && isBaseError(checker, part) ? [name] : []
    }),
  )
}

function isBaseError(checker: ts.TypeChecker, type: ts.Type): boolean {
  if (type.symbol?.name === 'BaseError') return true
  return type.isClassOrInterface() && checker.getBaseTypes(type).some((base) => isBaseError(checker, base))
}

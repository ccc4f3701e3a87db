// Finds the mutants of the contracts: small changes to their source. A test should notice each one.

/**
 * @typedef {object} Site a place that a mutant changes
 * @property {string} file
 * @property {number} start first character
 * @property {number} end character after its last
 * @property {'expression' | 'statement' | 'function'} kind what is changed
 * @property {string} text the mutant's text for the place; for a function, the modifier that the mutant removes
 * @property {object} [definition] the syntax tree of a function
 *
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line
 * @property {string} function
 * @property {string} operator the kind of change
 * @property {string} original
 * @property {string} mutant
 * @property {Site[]} sites one place; for a constant, all its uses
 */

/** Tests often do not check the bound itself. */
const BOUNDARY = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const OPPOSITE = { '+': '-', '-': '+', '*': '/', '/': '*', '|': '&', '&': '|' }
const OPPOSITE_ASSIGNMENT = { '+=': '-=', '-=': '+=' }
const YUL = { gt: 'lt', lt: 'gt', add: 'sub', sub: 'add' }

/** The possible changes to a node of the syntax tree, by node type. `read` returns the text of a node. */
const OPERATORS = {
  BinaryOperation: (node, read) => {
    const left = read(node.leftExpression)
    const right = read(node.rightExpression)
    const { operator } = node
    const changes = []
    if (BOUNDARY[operator]) {
      changes.push(expression('boundary', node, `${left} ${BOUNDARY[operator]} ${right}`))
    }
    if (OPPOSITE[operator]) {
      changes.push(expression('operator', node, `${left} ${OPPOSITE[operator]} ${right}`))
    }
    if (operator === '&&' || operator === '||') {
      changes.push(expression('part removed', node, left))
      // Removes each part of a chain `a && b && c` once.
      if (node.leftExpression.operator !== operator) changes.push(expression('part removed', node, right))
    }
    if (operator === '/' && node.rightExpression.nodeType === 'Literal') {
      changes.push(expression('number', node, `${left} / (${right} * 2)`))
    }
    return changes
  },
  Conditional: (node, read) => [
    expression('branch', node, read(node.trueExpression)),
    expression('branch', node, read(node.falseExpression)),
  ],
  IfStatement: (node) => {
    const never = expression('condition', node.condition, 'false')
    // Any test would notice a check that always fails.
    return isCheck(node) ? [never] : [never, expression('condition', node.condition, 'true')]
  },
  Return: ({ expression: value }, read) => {
    if (!value) return []
    const type = value.typeDescriptions.typeString
    if (type === 'bool') return ['true', 'false'].map((text) => expression('answer', value, text))
    if (/^uint\d+$/.test(type) && read(value) !== '0') return [expression('answer', value, '0')]
    return []
  },
  ExpressionStatement: (node, read) => {
    const { expression: inner } = node
    const changes = [statement('statement removed', node, '')]
    const opposite = inner.nodeType === 'Assignment' && OPPOSITE_ASSIGNMENT[inner.operator]
    if (opposite) {
      const text = `${read(inner.leftHandSide)} ${opposite} ${read(inner.rightHandSide)};`
      changes.push(statement('operator', node, text))
    }
    return changes
  },
  EmitStatement: (node) => [statement('statement removed', node, '')],
  RevertStatement: () => [],
  InlineAssembly: (node, read) => {
    const text = read(node)
    const start = offsetOf(node)
    return yulNodes(node.AST).map(({ operator, from, to, replacement }) => ({
      ...statement(operator, node, text.slice(0, from - start) + replacement + text.slice(to - start)),
      place: [from, to, replacement],
    }))
  },
}

/**
 * Returns all mutants, in the order of the files and then of the source. The result depends only on the sources.
 *
 * @param {Map<string, { source: string, ast: object }>} files sources in ASCII, with the syntax tree of solc
 * @returns {Mutant[]}
 */
export function findMutants(files) {
  const found = []
  const constants = constantsOf(files)
  for (const [file, { source, ast }] of files) {
    const read = (node) => source.slice(...rangeOf(node, source))
    for (const { name, definition } of functionsOf(ast)) {
      for (const modifier of definition.modifiers ?? []) {
        if (definition.kind !== 'function' || modifier.kind !== 'modifierInvocation') continue
        const [start, end] = rangeOf(definition, source)
        const sites = [{ file, start, end, kind: 'function', text: read(modifier), definition }]
        const change = expression('modifier removed', modifier, '')
        found.push({ ...describe(file, source, name, change), sites })
      }
      walk(definition.body, (node) => {
        for (const change of OPERATORS[node.nodeType]?.(node, read) ?? []) {
          found.push(describe(file, source, name, change))
        }
        const constant = node.nodeType === 'Identifier' && constants.get(node.referencedDeclaration)
        if (constant) constant.uses.push({ file, source, node })
      })
    }
  }
  for (const { name, values, uses } of constants.values()) {
    for (const text of uses.length === 0 ? [] : values) {
      const [first, ...others] = uses.map(({ file, source, node }) =>
        describe(file, source, name, expression('constant', node, text)),
      )
      found.push({ ...first, sites: [first, ...others].flatMap(({ sites }) => sites) })
    }
  }
  return unique(found)
}

function expression(operator, node, text) {
  return { operator, kind: 'expression', node, text }
}

function statement(operator, node, text) {
  return { operator, kind: 'statement', node, text }
}

function isCheck({ trueBody, falseBody }) {
  const body = trueBody.nodeType === 'Block' ? trueBody.statements : [trueBody]
  return !falseBody && body.length === 1 && body[0].nodeType === 'RevertStatement'
}

/** Returns the constants that are whole numbers, by the id of their declaration. */
function constantsOf(files) {
  const constants = new Map()
  for (const { ast } of files.values()) {
    for (const contract of contractsOf(ast)) {
      for (const { id, name, constant, value } of contract.nodes) {
        const number =
          constant && value?.nodeType === 'Literal' && /^[\d_]+$/.test(value.value)
            ? Number(value.value.replaceAll('_', ''))
            : 0
        // For a large constant, tests notice only that it is not zero.
        if (number !== 0)
          constants.set(id, {
            name,
            uses: [],
            values: number > 300 ? ['0'] : [`${number + 1}`, `${number - 1}`],
          })
      }
    }
  }
  return constants
}

function contractsOf(ast) {
  return ast.nodes.filter(
    ({ nodeType, contractKind }) => nodeType === 'ContractDefinition' && contractKind !== 'interface',
  )
}

function functionsOf(ast) {
  return contractsOf(ast).flatMap(({ nodes }) =>
    nodes
      .filter(({ body }) => body)
      .map((definition) => ({ name: definition.name || definition.kind, definition })),
  )
}

function walk(node, visit) {
  if (node === null || typeof node !== 'object') return
  if (node.nodeType) visit(node)
  if (node.nodeType === 'InlineAssembly') return
  for (const [key, child] of Object.entries(node)) {
    // In a loop header, only the condition changes.
    if (node.nodeType === 'ForStatement' && (key === 'loopExpression' || key === 'initializationExpression'))
      continue
    if (key !== 'typeDescriptions') walk(child, visit)
  }
}

/** Changes in an assembly block: replaces calls that have an opposite, and removes each statement except declarations. */
function yulNodes(node) {
  if (node === null || typeof node !== 'object') return []
  const from = node.src ? offsetOf(node) : 0
  const to = node.src ? from + Number(node.src.split(':')[1]) : 0
  const changes = []
  if (node.nodeType === 'YulFunctionCall' && YUL[node.functionName.name]) {
    const nameStart = offsetOf(node.functionName)
    const nameEnd = nameStart + node.functionName.name.length
    changes.push({
      operator: 'operator',
      from: nameStart,
      to: nameEnd,
      replacement: YUL[node.functionName.name],
    })
  }
  if (node.nodeType === 'YulExpressionStatement' || node.nodeType === 'YulAssignment') {
    changes.push({ operator: 'statement removed', from, to, replacement: '' })
  }
  return [...changes, ...Object.values(node).flatMap((child) => yulNodes(child))]
}

/** With `place`, the change affects only a part of the node. */
function describe(file, source, name, { operator, kind, node, text, place }) {
  const [start, end] = rangeOf(node, source)
  const [from, to, mutant] = place ?? [start, end, text]
  const line = source.slice(0, from).split('\n').length
  const original = oneLine(source.slice(from, to))
  const sites = [{ file, start, end, kind, text }]
  return { file, line, function: name, operator, original, mutant: oneLine(mutant), sites }
}

/** A statement's range ends with its semicolon, which solc leaves out. */
function rangeOf(node, source) {
  const start = offsetOf(node)
  const end = start + Number(node.src.split(':')[1])
  const open = ['ExpressionStatement', 'EmitStatement'].includes(node.nodeType) && source[end - 1] !== ';'
  return [start, open ? source.indexOf(';', end) + 1 : end]
}

function offsetOf({ src }) {
  return Number(src.split(':')[0])
}

/** Two operators can produce the same text for the same place. */
function unique(mutants) {
  const known = new Set()
  return mutants.filter(({ mutant, original, sites: [{ file, start, end, text }] }) => {
    const key = [file, start, end, text].join(':')
    if (known.has(key) || mutant === original) return false
    known.add(key)
    return true
  })
}

/**
 * Chooses mutants that are spread over each function.
 *
 * @param {Mutant[]} mutants
 * @param {number} most maximum number of mutants per function
 */
export function spread(mutants, most) {
  const functions = new Map()
  for (const mutant of mutants) {
    const key = `${mutant.file} ${mutant.function}`
    functions.set(key, [...(functions.get(key) ?? []), mutant])
  }
  const kept = new Set()
  for (const all of functions.values()) {
    const count = Math.min(most, all.length)
    for (let index = 0; index < count; index += 1) kept.add(all[Math.floor((index * all.length) / count)])
  }
  return mutants.filter((mutant) => kept.has(mutant))
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim()
}

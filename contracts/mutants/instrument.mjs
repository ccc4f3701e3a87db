// Writes all mutants into the sources, each behind a switch, so that they are compiled once. The switch is the block's
// `prevrandao`, which forge sets (`--block-prevrandao`) and no contract reads.

const IMPORT = 'import {mutant} from "./Mutant.sol";\n'

/** Reads the active mutant. Declared as pure, because pure functions have mutants too. */
export const SWITCH = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

function prevrandao() view returns (uint256) {
    return block.prevrandao;
}

function mutant() pure returns (uint256) {
    function() view returns (uint256) reading = prevrandao;
    function() pure returns (uint256) pretending;
    assembly ("memory-safe") {
        pretending := reading
    }
    return pretending();
}
`

/**
 * Returns a source with its mutants. A mutant is active while the switch equals its id.
 *
 * @param {string} file
 * @param {string} source
 * @param {(import('./operators.mjs').Mutant & { id: number })[]} mutants of all files
 */
export function instrument(file, source, mutants) {
  const places = placesOf(file, mutants)
  if (places.length === 0) return source
  const text = render(0, source.length, places)
  const end = text.indexOf(';', text.indexOf('pragma solidity')) + 2
  return text.slice(0, end) + IMPORT + text.slice(end)

  function render(start, end, inside) {
    let text = ''
    let at = start
    let rest = inside
    while (rest.length > 0) {
      const [outer] = rest
      const nested = rest.filter((place) => place !== outer && place.end <= outer.end)
      rest = rest.filter((place) => place.start >= outer.end)
      text +=
        source.slice(at, outer.start) +
        WRITERS[outer.kind](outer, render(outer.start, outer.end, nested), source)
      at = outer.end
    }
    return text + source.slice(at, end)
  }
}

const WRITERS = {
  expression: ({ variants }, original) =>
    `(${variants.map(({ id, text }) => `mutant() == ${id} ? (${text}) : `).join('')}(${original}))`,

  statement: ({ variants }, original) =>
    `{ ${variants.map(({ id, text }) => `if (mutant() == ${id}) { ${text} } else `).join('')}{ ${original} } }`,

  /** Modifiers cannot be switched, so each mutant is a copy of the function without a modifier. The original calls the active one. */
  function: ({ start, definition, variants }, original, source) => {
    const { body, modifiers, parameters, returnParameters, stateMutability } = definition
    // A contract and its base may both have the function.
    const name = `${definition.name}_${definition.id}`
    const bodyStart = offsetOf(body) - start
    const types = parameters.parameters.map((node, index) => `${read(node)}${node.name ? '' : ` p${index}`}`)
    const values = parameters.parameters.map((node, index) => node.name || `p${index}`).join(', ')
    const results = returnParameters.parameters.length > 0 ? ` returns ${read(returnParameters)}` : ''
    const mutability = ['view', 'pure'].includes(stateMutability) ? ` ${stateMutability}` : ''
    const all = modifiers.map(read)
    const part = (suffix, guards, text) =>
      `function ${name}_${suffix}(${types.join(', ')}) private${mutability} ${guards.join(' ')}${results} ${text}`

    let head = source.slice(start, offsetOf(body))
    for (const guard of all) head = head.replace(guard, '')
    const choices = variants.map(({ id }) => `if (mutant() == ${id}) return ${name}_${id}(${values});`)
    const call = `{ return ${name}_body(${values}); }`
    return [
      `${head}{ ${choices.join(' ')} return ${name}_all(${values}); }`,
      ...variants.map(({ id, text }) =>
        part(
          id,
          all.filter((guard) => guard !== text),
          call,
        ),
      ),
      part('all', all, call),
      part('body', [], original.slice(bodyStart)),
    ].join('\n')

    function read(node) {
      return source.slice(offsetOf(node), offsetOf(node) + Number(node.src.split(':')[1]))
    }
  },
}

function offsetOf({ src }) {
  return Number(src.split(':')[0])
}

/** Returns the sites in source order, outer sites first, with the text of each mutant. */
function placesOf(file, mutants) {
  const places = new Map()
  for (const { id, sites } of mutants) {
    for (const { start, end, kind, text, definition, file: where } of sites) {
      if (where !== file) continue
      const key = `${start}:${end}:${kind}`
      if (!places.has(key)) places.set(key, { start, end, kind, definition, variants: [] })
      places.get(key).variants.push({ id, text })
    }
  }
  return [...places.values()].sort((a, b) => a.start - b.start || b.end - a.end)
}

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const block = /^( *)```(\w+) file="([^"]+)"(?: region="([^"]+)")?\n\1```$/gm

/**
 * Fills every empty code block that names a file: `file="examples/…"` includes the whole file, `region="…"` only the lines between
 * `// #region …` and `// #endregion`.
 */
export function includeFiles(page: string, text: string): string {
  return text.replace(block, (_, indent: string, language: string, file: string, region?: string) => {
    const path = root + file
    if (!existsSync(path)) throw new Error(`${page}: the file ${file} does not exist.`)
    const code = region === undefined ? readFileSync(path, 'utf8') : regionOf(page, file, region)
    const lines = code.split('\n').filter((line) => !/^\s*\/\/ #(?:end)?region\b/.test(line))
    const body = lines
      .join('\n')
      .trimEnd()
      .replaceAll(/^(?=.)/gm, indent)
    return `${indent}\`\`\`${language} title="${file}"\n${body}\n${indent}\`\`\``
  })
}

function regionOf(page: string, file: string, region: string): string {
  const text = readFileSync(root + file, 'utf8')
  const found = new RegExp(`^ *// #region ${region}\\n([\\s\\S]*?)^ *// #endregion`, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`${page}: ${file} has no region "${region}".`)
  const indent = Math.min(
    ...found
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => line.search(/\S/)),
  )
  return found.replaceAll(new RegExp(`^ {${indent}}`, 'gm'), '')
}

import { cpus, platform } from 'node:os'
import { stripVTControlCharacters, styleText } from 'node:util'
import Table from 'cli-table3'
import { Command } from 'commander'
import manifest from '../../src/redeemkit/package.json' with { type: 'json' }
import type { Figure, Part, Row } from './figure.ts'
import { approval } from './figures/approval.ts'
import { bundle } from './figures/bundle.ts'
import { fixture } from './figures/fixture.ts'
import { gas } from './figures/gas.ts'
import { growth } from './figures/growth.ts'
import { inspection } from './figures/inspection.ts'
import { redeems } from './figures/redeems.ts'
import { shop } from './figures/shop.ts'
import { simulation } from './figures/simulation.ts'
import { start } from './figures/start.ts'

const figures: readonly Figure[] = [
  approval,
  bundle,
  fixture,
  gas,
  growth,
  inspection,
  redeems,
  shop,
  simulation,
  start,
]

await new Command('bench')
  .description('Measures ratios and sizes and prints them. Asserts nothing.')
  .option('--json', 'print one JSON object per line')
  .option('--only <name>', `one of: ${figures.map((figure) => figure.name).join(', ')}`)
  .action(run)
  .parseAsync()

async function run(options: { json?: boolean; only?: string }): Promise<void> {
  const chosen = figures.filter((figure) =>
    options.only === undefined ? figure.isLong !== true : figure.name === options.only,
  )
  if (chosen.length === 0) {
    console.error(
      `Unknown figure "${options.only}". Available: ${figures.map((figure) => figure.name).join(', ')}.`,
    )
    process.exitCode = 2
    return
  }
  console.error(`${machine()}, ${new Date().toISOString().slice(0, 10)}, redeemkit ${manifest.version}`)
  const rows: Row[] = []
  const failed: string[] = []
  for (const figure of chosen) {
    console.error(`${figure.name}: ${figure.about} …`)
    try {
      const measured = await figure.measure((text) => console.error(`  ${text}`))
      rows.push(...measured)
      if (options.json) for (const row of measured) console.log(JSON.stringify(row))
    } catch (error) {
      // Still measure the other figures.
      console.error(error)
      failed.push(figure.name)
    }
  }
  if (!options.json) print(rows)
  if (failed.length === 0) return
  console.error(`Not measured because of the errors above: ${failed.join(', ')}.`)
  process.exitCode = 1
}

function machine(): string {
  const [processor] = cpus()
  return `${cpus().length} × ${processor?.model.trim() ?? process.arch}, ${platform()}, Node ${process.versions.node}`
}

function print(rows: readonly Row[]): void {
  const table = new Table({
    head: ['figure', 'value', 'goal', ''],
    colAligns: ['left', 'right', 'right', 'left'],
    style: { head: [], border: [] },
  })
  for (const row of rows) table.push([row.figure, valueText(row), goalText(row), verdict(row)])
  const text = table.toString()
  console.log(process.stdout.isTTY ? text : stripVTControlCharacters(text))
  for (const { figure, parts } of rows) if (parts !== undefined) printParts(figure, parts)
}

function printParts(figure: string, parts: readonly Part[]): void {
  console.log(`\n${figure}, in bytes before gzip`)
  for (const { name, bytes } of parts) console.log(`${String(bytes).padStart(8)}  ${name}`)
}

function valueText({ value, unit, noise }: Row): string {
  return noise === undefined ? `${value} ${unit}` : `${value} ${unit} ± ${noise} %`
}

function goalText(row: Row): string {
  return row.goal === null ? '' : `${row.better === 'higher' ? '≥' : '≤'} ${row.goal}`
}

function verdict(row: Row): string {
  if (row.goal === null) return ''
  const met = row.better === 'higher' ? row.value >= row.goal : row.value <= row.goal
  return met ? styleText('green', 'met') : styleText('yellow', 'not met')
}

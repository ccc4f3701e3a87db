import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** What the front page says about the code holds. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const readme = readFileSync(`${root}README.md`, 'utf8')

/** The code blocks of the page, without their fences. */
const code = [...readme.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)

test('its code is at most 110 columns wide', () => {
  const wide = code.flatMap((block) => block.split('\n')).filter((line) => line.length > 110)
  expect(code.length).toBeGreaterThan(5)
  expect(wide).toEqual([])
})

test('it shows the Foundry suite of the example to the letter', () => {
  const file = 'examples/foundry-merchant/test/TicketShop.t.sol'
  expect(code).toContain(`// ${file}\n${readFileSync(`${root}${file}`, 'utf8')}`)
})

test('no paragraph is set apart by more than one empty line', () => {
  expect(readme).not.toMatch(/\n{3}/)
})

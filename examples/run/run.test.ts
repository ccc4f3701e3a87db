import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { examples, listText } from './list.ts'
import { runExample } from './runExample.ts'
import { startFunctions } from './startFunctions.ts'

const examplesFolder = fileURLToPath(new URL('..', import.meta.url))

describe('the list', () => {
  test('contains every example that can be started, and nothing else', () => {
    const startable = readdirSync(examplesFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(`${examplesFolder}${entry.name}/start.ts`))
      .map(({ name }) => name)
    expect(Object.keys(examples).sort()).toEqual([...startable, ...Object.keys(startFunctions)].sort())
  })

  test('is at most 120 columns wide', () => {
    expect(
      listText()
        .split('\n')
        .filter((line) => line.length > 120),
    ).toEqual([])
  })
})

describe('npm run example', () => {
  test('lists the examples when none is named', async () => {
    const { code, output } = await runExample([])
    expect({ code, output: output.trim() }).toEqual({ code: 0, output: listText() })
  })

  test.each([[['nothing']], [['pay-button-page', '--port', '99999']]])(
    'refuses %j and prints the list',
    async (args) => {
      const { code, output } = await runExample(args)
      expect(code).toBe(2)
      expect(output).toContain(listText())
    },
  )
})

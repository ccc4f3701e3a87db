import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileCabinet } from './compile.ts'

test('MothCabinet.json is up to date', () => {
  const deployed = JSON.parse(readFileSync(new URL('MothCabinet.json', import.meta.url), 'utf8'))
  expect(deployed).toEqual(compileCabinet())
})

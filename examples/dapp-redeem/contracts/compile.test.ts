import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileCabinet } from './compile.ts'

test('what is deployed is the contract as it stands', () => {
  const deployed = JSON.parse(readFileSync(new URL('MothCabinet.json', import.meta.url), 'utf8'))
  expect(deployed).toEqual(compileCabinet())
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleForm } from './bundleForm.ts'

test('the script is what form/ says', async () => {
  const written = readFileSync(new URL('cardScript.ts', import.meta.url), 'utf8')
  expect(written === (await bundleForm()), 'run npx tsx src/sandbox/pages/card/bundleForm.ts').toBe(true)
})

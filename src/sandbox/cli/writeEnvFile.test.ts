import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { envText } from './sandboxSettings.ts'
import { checkEnvFile, writeEnvFile } from './writeEnvFile.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-env-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('is for its owner alone, and is written again', async () => {
  const file = join(folder, '.env')
  for (const apiKey of ['one', 'two']) {
    await writeEnvFile(file, envText({ apiKey }))
    expect(await readFile(file, 'utf8')).toBe(envText({ apiKey }))
  }
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('somebody’s own lines are not written over', async () => {
  const file = join(folder, 'own.env')
  await writeFile(file, 'SECRET=1\n')
  await expect(writeEnvFile(file, envText({}))).rejects.toMatchObject({
    name: 'InvalidSandboxOptionsError',
    field: '--env',
  })
  expect(await readFile(file, 'utf8')).toBe('SECRET=1\n')
})

test('a folder that is not there is told, before anything is started', async () => {
  await expect(checkEnvFile(join(folder, 'none', '.env'))).rejects.toThrow('cannot be written')
  await expect(checkEnvFile(join(folder, '.env.new'))).resolves.toBeUndefined()
  await expect(writeEnvFile(join(folder, 'none', '.env'), '')).rejects.toThrow('cannot be written')
})

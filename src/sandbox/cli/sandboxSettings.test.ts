import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkEnvFile, envHeader, envText, sandboxSettings, writeEnvFile } from './sandboxSettings.ts'

test('writes one line per value, named after its path', () => {
  expect(
    envText({
      url: 'http://127.0.0.1:4242',
      base: { chainId: 84532, rpcUrl: 'http://127.0.0.1:4242/rpc/base' },
    }),
  ).toBe(
    `${envHeader}\nREDEEMKIT_URL=http://127.0.0.1:4242\nREDEEMKIT_BASE_CHAIN_ID=84532\nREDEEMKIT_BASE_RPC_URL=http://127.0.0.1:4242/rpc/base\n`,
  )
})

test('quotes values that contain special characters', () => {
  expect(envText({ a: 'two words', b: '$(rm x)', c: "it's\nB=2", d: '' }).split('\n').slice(1)).toEqual([
    "REDEEMKIT_A='two words'",
    "REDEEMKIT_B='$(rm x)'",
    'REDEEMKIT_C="it\'s\\nB=2"',
    'REDEEMKIT_D=',
    '',
  ])
})

test('includes the API key and the secret that signs destinationAuthKeys', () => {
  const running = { apiKey: 'sk_1', jwtSecret: 'a secret', chains: {}, accounts: {} }
  // `sandboxSettings` reads only these fields.
  expect(sandboxSettings(running as Parameters<typeof sandboxSettings>[0])).toMatchObject({
    apiKey: 'sk_1',
    jwtSecret: 'a secret',
  })
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-env-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('is readable by its owner only, and can be overwritten', async () => {
  const file = join(folder, '.env')
  for (const apiKey of ['one', 'two']) {
    await writeEnvFile(file, envText({ apiKey }))
    expect(await readFile(file, 'utf8')).toBe(envText({ apiKey }))
  }
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('does not overwrite a file that --env did not write', async () => {
  const file = join(folder, 'own.env')
  await writeFile(file, 'SECRET=1\n')
  await expect(writeEnvFile(file, envText({}))).rejects.toMatchObject({
    name: 'InvalidSandboxOptionsError',
    field: '--env',
  })
  expect(await readFile(file, 'utf8')).toBe('SECRET=1\n')
})

test('reports a missing folder before anything starts', async () => {
  await expect(checkEnvFile(join(folder, 'none', '.env'))).rejects.toThrow('cannot be written')
  await expect(checkEnvFile(join(folder, '.env.new'))).resolves.toBeUndefined()
  await expect(writeEnvFile(join(folder, 'none', '.env'), '')).rejects.toThrow('cannot be written')
})

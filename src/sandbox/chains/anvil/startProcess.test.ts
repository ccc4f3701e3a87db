import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProcess } from './startProcess.ts'

const folder = mkdtempSync(join(tmpdir(), 'redeemkit-program-'))
const { TMPDIR } = process.env
beforeAll(() => {
  // Parent of the folder that the process creates.
  process.env.TMPDIR = folder
})
afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  rmSync(folder, { recursive: true })
})

const left = () => readdirSync(folder).filter((name) => name.startsWith('redeemkit-anvil-'))

function program(name: string, text: string, mode: number): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

test.each([
  ['does not exist', () => join(folder, 'absent'), /ENOENT/, /npm install/],
  ['is not executable', () => program('closed', '#!/bin/sh\n', 0o600), /EACCES/, /chmod \+x/],
  ['exits', () => program('ends', '#!/bin/sh\necho no libc >&2\nexit 3\n', 0o700), /exit code 3/, /no libc/],
  [
    'prints nothing',
    () => program('silent', '#!/bin/sh\nexec sleep 60\n', 0o700),
    /not ready after/,
    /last output/,
  ],
])('a program that %s throws an error with a fix and leaves no folder', async (_, file, what, fix) => {
  const error = await startProcess({ chainId: 1, program: file(), startTimeoutMs: 300 }).catch(
    (thrown) => thrown,
  )
  expect(error).toMatchObject({
    name: 'AnvilStartError',
    shortMessage: expect.stringMatching(what),
    fix: expect.stringMatching(fix),
  })
  expect(left()).toEqual([])
})
